import { listBackups, timeOf } from '../backup/schedule.ts';
import { COMMAND, type Config } from '../platform/config/config.ts';
import { type About, countOf } from './finding.ts';

const HOUR_MS = 3_600_000;
/** One backup a day, plus some hours for the run. The alert SetteeBackupOld has the same. */
const OLD_HOURS = 30;

/**
 * Only knows backups made by `settee backup`: those in BACKUP_DIR, or without it the time that the command noted in the
 * database.
 */
export async function checkBackups(
  about: About,
  { backupDir }: Config,
  { now, noted }: { now: number; noted: Date | null | undefined },
): Promise<void> {
  const remedy = `Run ${COMMAND} backup, and run it daily with a timer.`;
  const [newest] = backupDir === undefined ? [] : await listBackups(backupDir);
  const madeAt = newest === undefined ? noted?.getTime() : timeOf(newest);
  const where = backupDir === undefined ? '' : ` in ${backupDir}`;
  if (madeAt === undefined || (backupDir !== undefined && newest === undefined))
    return about.warn(`there is none${where}`, remedy);
  const hours = Math.floor((now - madeAt) / HOUR_MS);
  const says = `the newest${where} is ${countOf(hours, 'hour')} old`;
  if (hours > OLD_HOURS) about.warn(says, remedy);
  else about.ok(says);
  const lost = newest?.manifest.objects.lost.length ?? 0;
  if (lost > 0)
    about.warn(
      `the newest lacks ${countOf(lost, 'image')}: the store had lost them`,
      'Its manifest.json lists them under objects.lost. Restore them from an older backup or from older versions in the bucket.',
    );
}
