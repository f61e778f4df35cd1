import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { removeLaterAnchors } from '../audit/auditAnchors.ts';
import type { BackupResult } from '../backup/makeBackup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { markRestoreFinished } from '../backup/restoreMarker.store.ts';
import { countOf } from '../doctor/finding.ts';
import { systemClock, systemRandom } from '../platform/adapters/system.ts';
import { COMMAND, type Config, readConfig, readSecrets } from '../platform/config/config.ts';
import type { AuditDetails } from '../platform/db/audit.ts';
import { audited } from '../platform/db/audited.ts';
import type { Database } from '../platform/db/database.ts';
import { countOtherConnections } from '../platform/db/gateways.ts';
import { noteBackup } from '../platform/db/installation.ts';
import { ownerUrl } from '../platform/db/roles.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { type Command, string, type Values, withDatabase } from './command.ts';

// Modules are loaded on demand, to keep other commands fast.

export const backup: Command = {
  help: 'write a consistent snapshot of all rows, and their images, to a new folder, and verify it; no downtime',
  options: { to: { type: 'string', help: 'the folder to create; default: a new one in BACKUP_DIR' } },
  async run(values) {
    const config = readConfig();
    const target = string(values, 'to') || nextIn(config);
    lowerPriority();
    const made = await backUp(config, target);
    console.log(`Made and verified ${made.folder}: ${summary(made)}.`);
    if (made.objects.lost.length > 0)
      console.error(
        `Warning: the store has lost ${countOf(made.objects.lost.length, 'image')}. Not in this backup:\n${made.objects.lost.join('\n')}`,
      );
  },
};

/** Makes a backup, reads it back, and notes its time for the metric. */
export async function backUp(config: Config, target: string): Promise<BackupResult> {
  const { makeBackup } = await import('../backup/makeBackup.ts');
  const { verifyBackup } = await import('../backup/verifyBackup.ts');
  const made = await makeBackup({ config, media: await mediaOf(config) }, target);
  await verifyBackup(made.folder, config);
  await withDatabase(config, (db) => noteBackup(db, made.takenAt));
  return made;
}

/** Gateways on the same machine come first. Some containers forbid it. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // The rests between rows still leave time for others.
  }
}

export const backupVerify: Command = {
  help: 'read a backup and compare every byte with its manifest, and the manifest with its signature if SECRET is set; needs no database',
  options: { from: { type: 'string', help: 'the folder of the backup', required: true } },
  async run(values) {
    const { verifyBackup } = await import('../backup/verifyBackup.ts');
    const secrets = readSecrets();
    const manifest = await verifyBackup(string(values, 'from'), secrets);
    console.log(`The backup of ${manifest.takenAt} is complete: ${summary(manifest)}.`);
    console.log(
      secrets === undefined ? 'The signature was not checked: SECRET is not set.' : 'The signature is valid.',
    );
  },
};

const ERASED = { type: 'string', help: 'file with conversation ids, one per line' } as const;

export const restore: Command = {
  help: 'restore a backup into an empty database and the store; ends all staff sessions',
  options: {
    from: { type: 'string', help: 'the folder of the backup', required: true },
    erased: { ...ERASED, help: `${ERASED.help}, to erase again` },
    'allow-unsigned': {
      type: 'boolean',
      help: 'also restore a backup that was changed, or signed with another SECRET',
    },
  },
  async run(values) {
    const config = readConfig();
    const { restoreBackup } = await import('../backup/restoreBackup.ts');
    // Fail early if the list cannot be read.
    const ids = await erasedIds(values);
    const media = await mediaOf(config);
    const log = (line: string): void => console.log(line);
    const warn = (line: string): void => console.error(`Warning: ${line}`);
    if (ids.length > 0) log(`If this is interrupted, run ${COMMAND} restore erase. It is safe to repeat.`);
    const allowUnsigned = values['allow-unsigned'] === true;
    const manifest = await restoreBackup({ config, media, log, warn, allowUnsigned }, string(values, 'from'));
    await withDatabase(asOwner(config), async (db) => {
      const { takenAt, release } = manifest;
      await finish({ db, media }, ids, { takenAt, release });
    });
    console.log('Restored. Start the gateways. The search index is rebuilt as it is used.');
    console.log(SWEEP_HINT);
  },
};

const SWEEP_HINT = `When you are sure that you will not go back, delete the old database and run ${COMMAND} restore sweep to remove images that were uploaded later.`;

/** What remains to do when the rows are back. */
async function finish(
  { db, media }: { db: Database; media: MediaStore },
  ids: readonly string[],
  details: AuditDetails,
): Promise<void> {
  const anchors = await removeLaterAnchors({ db, media });
  if (anchors > 0)
    console.log(`Removed ${countOf(anchors, 'anchor')} of audit entries that were written later.`);
  const erased = await erase(db, ids);
  await audited({ db }, 'cli', (_, record) =>
    record('installation.restore', 'installation', { ...details, erased }),
  );
  await markRestoreFinished(db);
}

/** For rows that PostgreSQL recovered from a base backup and WAL, to any point in time. */
export const restoreRecovered: Command = {
  help: 'after point-in-time recovery of PostgreSQL: end all staff sessions, and erase again what was erased later; safe to repeat',
  options: {
    erased: { ...ERASED, required: true },
    anyway: { type: 'boolean', help: 'also while gateways or workers use the database' },
  },
  async run(values) {
    const config = readConfig();
    const ids = await erasedIds(values);
    const media = await mediaOf(config);
    const { host, pathname } = new URL(ownerUrl(config));
    const database = `${pathname.slice(1)} at ${host}`;
    const { endCredentials } = await import('../backup/load.store.ts');
    const { OLD_CREDENTIALS_WARNING } = await import('../backup/restoreBackup.ts');
    await withDatabase(asOwner(config), async (db) => {
      // With a wrong DATABASE_URL, everybody would be signed out, and restore sweep could delete every image.
      if (values.anyway !== true && (await countOtherConnections(db)) > 0)
        throw new Error(
          `gateways, workers or other commands use the database ${database}. Nothing was changed. If it is the recovered one, stop them first. To continue while they run, use --anyway`,
        );
      console.log(`Completing the recovery of the database ${database}.`);
      await db.transaction(endCredentials);
      console.log(
        'Staff sessions, password links, recovery codes and API keys are ended, webhooks are paused, and e-mail addresses of visitors are deleted.',
      );
      await finish({ db, media }, ids, {});
    });
    console.error(`Warning: ${OLD_CREDENTIALS_WARNING}`);
    console.log(SWEEP_HINT);
  },
};

/** Completes a restore that was killed between loading and erasing. */
export const restoreErase: Command = {
  help: 'erase again, in a restored database, what was erased after the backup; safe to repeat',
  options: { erased: { ...ERASED, required: true } },
  async run(values) {
    const ids = await erasedIds(values);
    await withDatabase(asOwner(readConfig()), async (db) => {
      await erase(db, ids);
      await markRestoreFinished(db);
    });
  },
};

/** Separate from restore: until the old database is dropped, an operator may go back to it and its images. */
export const restoreSweep: Command = {
  help: 'remove images from the store that no restored row refers to: those that were uploaded later',
  options: {
    'dry-run': { type: 'boolean', help: 'only list them' },
    anyway: {
      type: 'boolean',
      help: 'also if the database was not restored, or more than half of all images',
    },
  },
  async run(values) {
    const config = readConfig();
    const { sweepStore } = await import('../backup/sweepStore.ts');
    const { wasRestored } = await import('../backup/unreferenced.store.ts');
    const media = await mediaOf(config);
    await withDatabase(config, async (db) => {
      // With a wrong DATABASE_URL every image would be unreferenced.
      if (values.anyway !== true && !(await wasRestored(db)))
        throw new Error('this database was not restored. If DATABASE_URL is correct, use --anyway');
      const remove = values['dry-run'] !== true;
      if (remove) await refuseForeignStore({ db, media, config }, values.anyway === true);
      const onFound = remove ? () => {} : (path: string) => console.log(path);
      const { found } = await sweepStore({ db, media }, { remove, onFound });
      console.log(`${remove ? 'Removed' : 'Would remove'} ${countOf(found, 'image')} without a row.`);
    });
  },
};

/** A wrong DATABASE_URL can also name a restored database: that of another installation, or an older copy of this one. */
async function refuseForeignStore(
  { db, media, config }: { db: Database; media: MediaStore; config: Config },
  anyway: boolean,
): Promise<void> {
  const { host, pathname } = new URL(config.databaseUrl);
  const database = `${pathname.slice(1)} at ${host}`;
  const { verifyAudit } = await import('../audit/verifyAudit.ts');
  const { readAnchors } = await import('../audit/auditAnchors.ts');
  const { anchors } = await readAnchors({ db, media }, config);
  // A restore removes the later ones.
  if (!(await verifyAudit({ db }, anchors)).whole)
    throw new Error(
      `the store has anchors of audit entries that the database ${database} does not have, so it belongs to another one. Nothing was removed. Correct DATABASE_URL. After point-in-time recovery, run ${COMMAND} restore recovered first`,
    );
  const { sweepStore } = await import('../backup/sweepStore.ts');
  const { found, total } = await sweepStore({ db, media }, { remove: false, onFound: () => {} });
  if (!anyway && found > total / 2)
    throw new Error(
      `the database ${database} refers to only ${total - found} of ${countOf(total, 'image')}. Nothing was removed. If DATABASE_URL is correct, use --anyway`,
    );
}

/** Only the owner can remove the mark of an unfinished restore. */
function asOwner(config: Config): Config {
  return { ...config, databaseUrl: ownerUrl(config) };
}

async function erasedIds(values: Values): Promise<string[]> {
  const { idsIn } = await import('../backup/restoreBackup.ts');
  const list = string(values, 'erased');
  return list === '' ? [] : idsIn(await readFile(list, 'utf8'));
}

async function erase(db: Database, ids: readonly string[]): Promise<number> {
  const { eraseAgain } = await import('../backup/restoreBackup.ts');
  const erased = await eraseAgain(db, ids);
  if (ids.length > 0) console.log(`Erased again: ${erased} of ${countOf(ids.length, 'conversation')}.`);
  return erased;
}

async function mediaOf(config: Config): Promise<MediaStore> {
  const { openMedia } = await import('../media/media.adapter.ts');
  return openMedia(config, { clock: systemClock, random: systemRandom });
}

export function nextIn({ backupDir }: Config): string {
  if (backupDir === undefined) throw new Error('backup needs --to or BACKUP_DIR');
  return join(backupDir, `settee-${new Date().toISOString().replace(/[:-]|\.\d+/g, '')}`);
}

function summary({ tables, objects }: Pick<Manifest, 'tables' | 'objects'>): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.file.bytes, objects.bytes);
  return `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')}, ${countOf(objects.count, 'image')}, ${countOf(bytes, 'byte')}`;
}
