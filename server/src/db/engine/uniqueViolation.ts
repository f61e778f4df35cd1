import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** The index that would not have something twice; undefined for every other error. */
export function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return undefined;
  return error.constraint ?? '';
}
