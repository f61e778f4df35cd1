import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../adapters/system.ts';
import type { Manifest } from '../backup/manifest.ts';
import { type Config, readConfig } from '../config.ts';
import { insertAudit } from '../db/audit.ts';
import { openDatabase } from '../db/database.ts';
import type { MediaStore } from '../ports.ts';
import { type Command, string } from './command.ts';

// What they need is loaded when they run: every other command would start later for it.

export const backup: Command = {
  help: 'copy all rows of one moment, and the images that they lead to, into a new folder; nobody has to stop',
  options: { to: { type: 'string', help: 'the folder to make; a new one in BACKUP_DIR, if left out' } },
  async run(values) {
    const config = readConfig();
    const target = string(values, 'to') || nextIn(config);
    const { makeBackup } = await import('../backup/makeBackup.ts');
    const media = await mediaOf(config);
    const made = await makeBackup({ config, media }, target);
    console.log(`Made ${made.folder}: ${summary(made)}.`);
    if (made.objects.lost.length > 0)
      console.error(
        `Images that the store has lost, although rows lead to them:\n${made.objects.lost.join('\n')}`,
      );
  },
};

export const backupVerify: Command = {
  help: 'read a backup and compare every byte with its manifest; needs no database',
  options: { from: { type: 'string', help: 'the folder of the backup', required: true } },
  async run(values) {
    const { verifyBackup } = await import('../backup/verifyBackup.ts');
    const manifest = await verifyBackup(string(values, 'from'));
    console.log(`The backup of ${manifest.takenAt} is whole: ${summary(manifest)}.`);
  },
};

export const restore: Command = {
  help: 'put a backup into an empty database and the store; ends all staff sessions',
  options: {
    from: { type: 'string', help: 'the folder of the backup', required: true },
    erased: { type: 'string', help: 'file of conversation ids, a line each, to erase again' },
  },
  async run(values) {
    const config = readConfig();
    const { restoreBackup } = await import('../backup/restoreBackup.ts');
    const { eraseAgain, idsIn } = await import('../backup/eraseAgain.ts');
    const list = string(values, 'erased');
    const ids = list === '' ? [] : idsIn(await readFile(list, 'utf8'));
    const media = await mediaOf(config);
    const say = (line: string): void => console.log(line);
    const warn = (line: string): void => console.error(`Warning: ${line}`);
    const manifest = await restoreBackup({ config, media, say, warn }, string(values, 'from'));
    const db = openDatabase(config.databaseUrl, 1);
    try {
      const erased = await eraseAgain(db, ids);
      if (ids.length > 0) console.log(`Erased again: ${erased} of ${ids.length} conversations.`);
      const { takenAt, release } = manifest;
      const details = { takenAt, release, erased };
      const entry = { actor: 'cli', action: 'installation.restore', target: 'installation', details };
      await insertAudit(db.sql, entry);
    } finally {
      await db.close();
    }
    console.log('Restored. Start the gateways; search is made anew as it is used.');
  },
};

async function mediaOf(config: Config): Promise<MediaStore> {
  const { openMedia } = await import('../adapters/media.ts');
  return openMedia(config, { clock: systemClock, random: systemRandom });
}

function nextIn({ backupDir }: Config): string {
  if (backupDir === undefined) throw new Error('backup needs --to, or BACKUP_DIR in the environment');
  return join(backupDir, `settee-${new Date().toISOString().replace(/[:-]|\.\d+/g, '')}`);
}

function summary({ tables, objects }: Pick<Manifest, 'tables' | 'objects'>): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.file.bytes, objects.bytes);
  return `${rows} rows of ${tables.length} tables, ${objects.count} images, ${bytes} bytes`;
}
