import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { killPostgres, postgresUrl, startPostgres } from '../../../tools/engines/postgres.ts';
import { instanceFolder } from '../../../tools/engines/state.ts';

export type OwnPostgres = { instance: string; folder: string; url: string; remove(): Promise<void> };

/** Starts a PostgreSQL for one test file, with the settings of production. Its tests may change and kill it. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const instance = `own-${randomUUID()}`;
  const record = await startPostgres(instance);
  const folder = record.folder ?? '';
  return {
    instance,
    folder,
    url: postgresUrl(record),
    async remove() {
      await killPostgres(instance);
      for (const each of [folder, instanceFolder(instance)]) rmSync(each, { recursive: true, force: true });
    },
  };
}
