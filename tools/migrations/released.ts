import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
export const MIGRATIONS = join(ROOT, 'server/migrations');
/** Beside the folder, because every file in the folder runs as a migration. */
export const RELEASED = join(ROOT, 'server/released.json');

/** For each release its new migrations, with the SHA-256 of their bytes. */
export type Released = Record<string, Record<string, string>>;

export function readReleased(): Released {
  return JSON.parse(readFileSync(RELEASED, 'utf8')) as Released;
}

/** Sorted by name, which is the order in which they run. */
export function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS).sort();
}

export function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, file)))
    .digest('hex');
}

/** Migrations that can still be changed, because no installation has run them. */
export function unreleasedFiles(): string[] {
  const known = new Set(Object.values(readReleased()).flatMap((files) => Object.keys(files)));
  return migrationFiles().filter((file) => !known.has(file));
}
