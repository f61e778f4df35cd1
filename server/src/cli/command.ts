import type { Config } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';

/** A command of the table in cli.ts, and helpers to read its options. */

export type Options = Record<string, { type: 'string' | 'boolean'; help: string; required?: true }>;
export type Values = Record<string, string | boolean | undefined>;
export type Command = { help: string; options: Options; run(values: Values): Promise<void> };

export function string(values: Values, name: string): string {
  return String(values[name] ?? '').trim();
}

export function wholeNumber(values: Values, name: string, fallback: number, max: number): number {
  const given = string(values, name) || String(fallback);
  const number = Number(given);
  if (!/^[0-9]+$/.test(given) || number < 1 || number > max) {
    throw new Error(`--${name} is a whole number from 1 to ${max}`);
  }
  return number;
}

export async function withDatabase(config: Config, run: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(config.databaseUrl, 1);
  try {
    await run(db);
  } finally {
    await db.close();
  }
}
