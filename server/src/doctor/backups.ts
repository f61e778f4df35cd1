import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '../backup/manifest.ts';
import type { Config } from '../config.ts';
import { About, type Finding } from './finding.ts';

const HOUR_MS = 3_600_000;
/** One a day, with some hours for the run itself. */
const OLD_HOURS = 30;

/** Backups that are made in other ways are not seen here. */
export async function checkBackups({ backupDir }: Config, now: number): Promise<Finding[]> {
  const about = new About('backup');
  if (backupDir === undefined) {
    about.ok('not looked at: BACKUP_DIR is not set');
    return about.found;
  }
  const remedy = 'Run npm run settee -- backup, and let a timer run it every day.';
  const times: number[] = [];
  for (const name of await readdir(backupDir).catch(() => [])) {
    const manifest = await readManifest(join(backupDir, name)).catch(() => undefined);
    if (manifest !== undefined) times.push(Date.parse(manifest.takenAt));
  }
  const hours = Math.floor((now - Math.max(...times)) / HOUR_MS);
  if (times.length === 0) about.warn(`there is none in ${backupDir}`, remedy);
  else if (hours > OLD_HOURS) about.warn(`the newest in ${backupDir} is ${hours} hours old`, remedy);
  else about.ok(`the newest in ${backupDir} is ${hours} hours old`);
  return about.found;
}
