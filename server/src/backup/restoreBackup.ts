import { markAll } from '../conversations/searchDue.store.ts';
import { eraseRows } from '../erasure/erasure.store.ts';
import type { Config } from '../platform/config/config.ts';
import { audited } from '../platform/db/audited.ts';
import type { Database } from '../platform/db/database.ts';
import { migrate, migrateTo } from '../platform/db/migrate.ts';
import { shippedMigrations } from '../platform/db/migrations.ts';
import { ownerUrl, type RoleUrls } from '../platform/db/roles.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { digestRows, readRows } from './fileDigest.ts';
import { plainFile } from './folder.ts';
import { addMissingJobs, isEmpty, load } from './load.store.ts';
import {
  BadBackup,
  type Manifest,
  type StoredTable,
  secretCheck,
  tableFile,
  UnsignedBackup,
} from './manifest.ts';
import { putObjects } from './objects.ts';
import { connect } from './snapshot.store.ts';
import { verifyBackup } from './verifyBackup.ts';

type Parts = {
  config: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'cell' | 'secret' | 'secretPrevious'>;
  media: MediaStore;
  log(line: string): void;
  warn(line: string): void;
  /** Also restores a backup that SECRET and SECRET_PREVIOUS did not sign. */
  allowUnsigned?: boolean;
};

/**
 * Restores a backup into an empty database and a store. First verifies the whole backup. Compares the rows with the
 * manifest before the commit. Objects go first, so that every row's object exists.
 */
export async function restoreBackup(parts: Parts, folder: string): Promise<Manifest> {
  const { config, media, log, warn } = parts;
  const manifest = await verifySigned(parts, folder);
  log(`The backup of ${manifest.takenAt} (release ${manifest.release}) is complete.`);
  refuseNewer(manifest);
  const client = await connect(ownerUrl(config));
  try {
    if (!(await isEmpty(client)))
      throw new Error(
        'This database is not empty. A backup is restored into a new one: make it (create database …) and name it in DATABASE_URL and DATABASE_OWNER_URL.',
      );
    for (const warning of differences(manifest, config)) warn(warning);
    const { put, kept } = await putObjects(folder, media);
    log(`Objects: ${put} put into the store, ${kept} were there already; each was read again and compared.`);
    const filled = fill(client, { config, folder, manifest });
    await filled.catch((error: Error) => {
      throw new Error(`${error.message}\n${NOT_EMPTY_HINT}`, { cause: error });
    });
    const { tables } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    log(`Rows: ${rows} in ${tables.length} tables, each table compared with its digest.`);
    log('The database is up to date. Staff sessions, password links and recovery codes are ended.');
    warn(OLD_CREDENTIALS_WARNING);
  } finally {
    await client.end();
  }
  return manifest;
}

async function verifySigned(
  { config, warn, allowUnsigned = false }: Parts,
  folder: string,
): Promise<Manifest> {
  try {
    return await verifyBackup(folder, config);
  } catch (error) {
    if (!(error instanceof UnsignedBackup)) throw error;
    if (!allowUnsigned) throw new UnsignedBackup(`${error.message} ${UNSIGNED_HINT}`);
    warn(`${error.message} ${UNSIGNED_WARNING}`);
    return verifyBackup(folder);
  }
}

const UNSIGNED_HINT =
  'Nothing was restored. Restore with the SECRET of the backup, in SECRET or SECRET_PREVIOUS. If it is lost and you trust everyone who could write to the folder, use --allow-unsigned.';
const UNSIGNED_WARNING =
  'Restored because of --allow-unsigned. A person who could write to the folder can have added or changed anything, for example an administrator. Check the accounts.';

/** The tables are created before the transaction that fills them, so they remain after a failure. */
const NOT_EMPTY_HINT = 'This database is no longer empty: drop and create it, then run this again.';

export const OLD_CREDENTIALS_WARNING =
  'everything else has its old state. Later changes are undone: old passwords, removed second factors, deactivated or demoted staff, and revoked invite links and devices are valid again. API keys are revoked, and webhooks are paused. Repeat these changes before you start the gateways.';

async function fill(
  client: Awaited<ReturnType<typeof connect>>,
  { config, folder, manifest }: { config: RoleUrls; folder: string; manifest: Manifest },
): Promise<void> {
  const { tables, sequences, migrations } = manifest;
  await migrateTo(ownerUrl(config), { count: migrations.length });
  await load(client, { tables, sequences, level: migrations }, async (into) => {
    for (const table of tables) {
      await readRows(await plainFile(folder, tableFile(table.name)), into.fill(table));
    }
    for (const table of tables) refuseOther(table, await digestRows(into.read(table)));
  });
  await migrate(config);
  await addMissingJobs(client);
  await markAll(client);
}

function refuseNewer({ migrations, release }: Manifest): void {
  const known = new Set(shippedMigrations);
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BadBackup(
      `This backup was made by another release (${release}), with migrations that this one does not know: ${unknown.join(', ')}. Restore it with that release.`,
    );
}

function refuseOther(table: StoredTable, found: { rows: number; digest: string }): void {
  if (found.rows !== table.rows || found.digest !== table.digest)
    throw new Error(`${table.name} differs from the backup: nothing was restored.`);
}

function differences(manifest: Manifest, config: Parts['config']): string[] {
  const warnings: string[] = [];
  const { secret, secretPrevious = secret } = config;
  if (![secret, secretPrevious].some((each) => secretCheck({ secret: each }) === manifest.secretCheck))
    warnings.push(
      'SECRET is not the one that this backup was made with: visitors lose access until they enter a new continue code, and authenticator apps and recovery codes of staff do not work (settee staff reset-factor). Restore with the old SECRET if you have it.',
    );
  if (manifest.cell !== config.cell)
    warnings.push(`CELL is ${config.cell}, and was ${manifest.cell}: existing links start with the latter.`);
  if (manifest.objects.lost.length > 0)
    warnings.push(`${manifest.objects.lost.length} images were missing in the store when it was backed up.`);
  return warnings;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Erases conversations that were erased after the backup. The ids come from an audit log kept elsewhere. */
export async function eraseAgain(db: Database, ids: readonly string[]): Promise<number> {
  let erased = 0;
  for (const id of ids) {
    const gone = await audited({ db }, 'cli', async (step, record) => {
      if ((await eraseRows(step, id, 'staff')) === undefined) return false;
      record('conversation.erase', id, { again: true });
      return true;
    });
    if (gone) erased += 1;
  }
  return erased;
}

export function idsIn(text: string): string[] {
  const ids = text.split(/\s+/).filter((word) => word !== '');
  const wrong = ids.find((id) => !ID.test(id));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not a conversation id`);
  return ids;
}
