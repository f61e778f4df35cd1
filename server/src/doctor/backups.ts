import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, readManifest } from '../backup/manifest.ts';
import { COMMAND, type Config } from '../config/config.ts';
import { type About, countOf } from './finding.ts';

const HOUR_MS = 3_600_000;
/** One backup a day, plus some hours for the run. */
const OLD_HOURS = 30;

/** Only sees backups made by `settee backup`. */
export async function checkBackups(about: About, { backupDir }: Config, now: number): Promise<void> {
  if (backupDir === undefined) return about.ok('not checked: BACKUP_DIR is not set');
  const remedy = `Run ${COMMAND} backup, and run it daily with a timer.`;
  let newest: Manifest | undefined;
  for (const name of await readdir(backupDir).catch(() => [])) {
    const manifest = await readManifest(join(backupDir, name)).catch(() => undefined);
    if (manifest !== undefined && timeOf(manifest) > timeOf(newest)) newest = manifest;
  }
  const hours = Math.floor((now - timeOf(newest)) / HOUR_MS);
  if (newest === undefined) about.warn(`there is none in ${backupDir}`, remedy);
  else if (hours > OLD_HOURS)
    about.warn(`the newest in ${backupDir} is ${countOf(hours, 'hour')} old`, remedy);
  else about.ok(`the newest in ${backupDir} is ${countOf(hours, 'hour')} old`);
  const lost = newest?.objects.lost.length ?? 0;
  if (lost > 0)
    about.warn(
      `the newest lacks ${countOf(lost, 'image')}: the store had lost them`,
      'Its manifest.json lists them under objects.lost. Restore them from an older backup or from older versions in the bucket.',
    );
}

function timeOf(manifest: Manifest | undefined): number {
  return manifest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(manifest.takenAt);
}
