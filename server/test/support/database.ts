import { inject } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../../tools/freshDatabase.ts';

export type TestDatabase = Omit<FreshDatabase, 'drop'>;

/** A new copy of the migrated database that engines.setup.ts made, or an empty one. That file drops them too. */
export function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const template = inject('template');
  return createFreshDatabase(inject('engines').DATABASE_URL, {
    prefix: template,
    ...(!empty && { template }),
  });
}
