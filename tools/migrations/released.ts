import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
export const MIGRATIONS = join(ROOT, 'server/migrations');
/** Beside the folder, not in it: every file in there is run as a migration. */
export const RELEASED = join(ROOT, 'server/released.json');

/** For each release the migrations that came with it, by the SHA-256 of their bytes. */
export type Released = Record<string, Record<string, string>>;

export function readReleased(): Released {
  return JSON.parse(readFileSync(RELEASED, 'utf8')) as Released;
}

/** Names sort as they run: that order is what counts. */
export function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS).sort();
}

export function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, file)))
    .digest('hex');
}

/** What may still be changed, because nobody has run it. */
export function unreleasedFiles(): string[] {
  const known = new Set(Object.values(readReleased()).flatMap((files) => Object.keys(files)));
  return migrationFiles().filter((file) => !known.has(file));
}
