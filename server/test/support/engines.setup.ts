import type { TestProject } from 'vitest/node';
import { type EngineUrls, startEngines } from '../../../tools/engines/engines.ts';
import { createFreshDatabase } from '../../../tools/freshDatabase.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { withClient } from '../../src/platform/db/withClient.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engines: EngineUrls;
    /** The name of this run's migrated database: two runs may overlap. */
    template: string;
  }
}

/** Starts the real engines, fast and unsafe, and migrates one database that every test copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = await startEngines({ instance: 'test', require: true });
  // These tests kill no engine and no machine. To drop a database with fsync took half a second.
  // A vacuum that began before a test wrote its rows stores their number from that time when it ends, and the test's query
  // then gets another plan.
  await withClient({ connectionString: engines.DATABASE_URL }, async (client) => {
    await client.query('alter system set fsync = off');
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
  });
  const template = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'template' });
  await migrate({ databaseUrl: template.url, databaseOwnerUrl: template.ownerUrl });
  project.provide('engines', engines);
  const name = new URL(template.url).pathname.slice(1);
  project.provide('template', name);
  return () => dropAll(engines.DATABASE_URL, name);
}

/**
 * Drops the template, its copies and their roles, all of which have its name in theirs. At the end, because ext4 takes
 * several times as long to create files if as many were deleted a moment ago.
 */
function dropAll(connectionString: string, template: string): Promise<void> {
  return withClient({ connectionString }, async (client) => {
    const { rows } = await client.query<{ drop: string }>(
      `select 'drop database ' || datname || ' with (force)' as drop from pg_database where starts_with(datname, $1)
       union all select 'drop role ' || rolname from pg_roles where starts_with(rolname, $1)`,
      [template],
    );
    for (const { drop } of rows) await client.query(drop);
  });
}
