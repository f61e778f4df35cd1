import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { listBackups, removeOldBackups, timeOf, untilNextBackup } from '../backup/schedule.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { installCrashHandlers } from '../platform/log/crashHandlers.ts';
import { createLog, type Log, reason } from '../platform/log/log.ts';
import { onStopSignal } from '../platform/log/stopSignal.ts';
import { backUp, lowerPriority, nextIn } from './backup.ts';
import type { Command } from './command.ts';

const RETRY_MS = 900_000;

export const backupSchedule: Command = {
  help: 'back up every day at BACKUP_AT until stopped; delete what is older than BACKUP_KEEP_DAYS; run BACKUP_HOOK',
  options: {},
  async run() {
    const config = readConfig();
    const { backupDir, backupAt } = config;
    if (backupDir === undefined) throw new Error('backup schedule needs BACKUP_DIR');
    const log = createLog(config.logLevel);
    installCrashHandlers(log);
    onStopSignal(log, () => process.exit(0));
    lowerPriority();
    for (;;) {
      const [newest] = await listBackups(backupDir);
      await sleep(untilNextBackup(Date.now(), backupAt, newest && timeOf(newest)));
      try {
        await runOnce({ ...config, backupDir }, log);
      } catch (error) {
        log.error({ reason: reason(error) }, 'backup failed');
        await sleep(RETRY_MS);
      }
    }
  },
};

async function runOnce(config: Config & { backupDir: string }, log: Log): Promise<void> {
  const { folder, objects } = await backUp(config, nextIn(config));
  const backups = await removeOldBackups(config.backupDir, Date.now(), config.backupKeepDays);
  log.info({ images: objects.count, backups }, 'backup made');
  if (objects.lost.length > 0) log.warn({ images: objects.lost.length }, 'backup lacks images');
  const [program, ...args] = config.backupHook;
  if (program === undefined) return;
  try {
    const child = spawn(program, [...args, folder], { stdio: 'inherit' });
    await once(child, 'exit');
    if (child.exitCode !== 0) log.error({ code: String(child.exitCode) }, 'backup hook failed');
  } catch (error) {
    log.error({ reason: reason(error) }, 'backup hook failed');
  }
}
