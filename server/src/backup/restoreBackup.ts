import type { Config } from '../config.ts';
import { addMissingJobs, isEmpty, load } from '../db/backup/load.ts';
import { connect } from '../db/backup/snapshot.ts';
import { knownMigrations, migrate, migrateTo } from '../db/migrate.ts';
import type { MediaStore } from '../ports.ts';
import { digestRows, readRows } from './hashedFile.ts';
import { BadBackup, type Manifest, type StoredTable, secretCheck, tableFile } from './manifest.ts';
import { putObjects } from './objects.ts';
import { plainFile } from './plainFile.ts';
import { verifyBackup } from './verifyBackup.ts';

type Parts = {
  config: Pick<Config, 'databaseUrl' | 'cell' | 'secret'>;
  media: MediaStore;
  /** What is done, as it is done. */
  say(line: string): void;
  warn(line: string): void;
};

/**
 * Puts a backup into an empty database and a store. Nothing is touched before all of it was read once and found whole;
 * the rows are compared with the manifest before they are committed. Objects go first: a database that is there has
 * everything that it leads to.
 */
export async function restoreBackup(parts: Parts, folder: string): Promise<Manifest> {
  const { config, media, say, warn } = parts;
  const manifest = await verifyBackup(folder);
  say(`The backup of ${manifest.takenAt} (release ${manifest.release}) is whole.`);
  refuseNewer(manifest);
  const client = await connect(config.databaseUrl);
  try {
    if (!(await isEmpty(client)))
      throw new Error(
        'This database is not empty. A backup is restored into a new one: make it (create database …) and name it in DATABASE_URL.',
      );
    for (const warning of differences(manifest, config)) warn(warning);
    const { put, kept } = await putObjects(folder, media);
    say(`Objects: ${put} put into the store, ${kept} were there already; each was read again and compared.`);
    await migrateTo(config.databaseUrl, manifest.migrations.length);
    const { tables, sequences } = manifest;
    await load(client, { tables, sequences, level: manifest.migrations }, async ({ fill, read }) => {
      for (const table of tables) {
        await readRows(await plainFile(folder, tableFile(table.name)), fill(table));
      }
      for (const table of tables) refuseOther(table, await digestRows(read(table)));
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Rows: ${rows} in ${tables.length} tables, each table compared with its digest.`);
    await migrate(config.databaseUrl);
    await addMissingJobs(client);
    say('The database is up to date. Staff sessions and password links of the backup are ended.');
  } finally {
    await client.end();
  }
  return manifest;
}

function refuseNewer({ migrations, release }: Manifest): void {
  const known = new Set(knownMigrations());
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BadBackup(
      `This backup was made by another release (${release}), with migrations that this one does not know: ${unknown.join(', ')}. Restore it with that release.`,
    );
}

function refuseOther(table: StoredTable, found: { rows: number; digest: string }): void {
  if (found.rows !== table.rows || found.digest !== table.digest)
    throw new Error(`${table.name} does not hold what the backup does: nothing was restored.`);
}

function differences(manifest: Manifest, config: Parts['config']): string[] {
  const warnings: string[] = [];
  if (manifest.secretCheck !== secretCheck(config))
    warnings.push(
      'SECRET is not the one that this backup was made with: visitors lose their place until they enter a continue code made anew, and authenticator apps and recovery codes of staff do not work (settee staff reset-factor). Restore with the old SECRET if you have it.',
    );
  if (manifest.cell !== config.cell)
    warnings.push(
      `CELL is ${config.cell}, and was ${manifest.cell}: links that are out there begin with the latter.`,
    );
  if (manifest.objects.lost.length > 0)
    warnings.push(`${manifest.objects.lost.length} images were missing in the store when it was backed up.`);
  return warnings;
}
