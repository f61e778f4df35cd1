import { inject } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../../tools/freshDatabase.ts';

/** A new copy of the migrated database that engines.setup.ts made. */
export function createTestDatabase(): Promise<FreshDatabase> {
  return createFreshDatabase(inject('engines').DATABASE_URL, {
    prefix: 'test',
    template: inject('template'),
  });
}
