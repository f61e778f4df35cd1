import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

const DAY_MS = 86_400_000;
/** As `settee backup` names them. */
const NAME = /^settee-\w+$/;
const UNFINISHED = /^settee-\w+\..*\.partial$/;

type StoredBackup = { folder: string; manifest: Manifest };

/** Complete backups, the newest first. */
export async function listBackups(backupDir: string): Promise<StoredBackup[]> {
  const found: StoredBackup[] = [];
  for (const { name } of await entriesOf(backupDir)) {
    const folder = join(backupDir, name);
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest !== undefined) found.push({ folder, manifest });
  }
  return found.toSorted((one, other) => timeOf(other) - timeOf(one));
}

export function timeOf({ manifest }: StoredBackup): number {
  return Date.parse(manifest.takenAt);
}

/** Milliseconds until the next backup: none if the newest is from before the last `at`, a time of day in UTC. */
export function untilNextBackup(now: number, at: string, newest: number | undefined): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const today = new Date(now).setUTCHours(hours, minutes, 0, 0);
  const last = today <= now ? today : today - DAY_MS;
  return newest === undefined || newest < last ? 0 : last + DAY_MS - now;
}

/** Keeps the newest in any case, and every folder with another name. Returns how many it removed. */
export async function removeOldBackups(backupDir: string, now: number, keepDays: number): Promise<number> {
  const [, ...others] = await listBackups(backupDir);
  const old = others.filter(
    (backup) => NAME.test(nameOf(backup.folder)) && now - timeOf(backup) > keepDays * DAY_MS,
  );
  for (const { folder } of old) await rm(folder, { recursive: true });
  for (const { name } of await entriesOf(backupDir)) {
    const folder = join(backupDir, name);
    // A run that was killed left it. A younger one may still be in progress.
    if (UNFINISHED.test(name) && now - (await stat(folder)).mtimeMs > DAY_MS)
      await rm(folder, { recursive: true });
  }
  return old.length;
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function nameOf(folder: string): string {
  return folder.split('/').at(-1) ?? '';
}
