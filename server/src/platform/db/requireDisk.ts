import { COMMAND, type Config } from '../config/config.ts';
import type { Database } from './database.ts';
import { column } from './query.ts';

/** The message is for the operator. */
export class UnsafeDatabase extends Error {
  constructor(settings: string[]) {
    super(
      `PostgreSQL has ${settings.join(' and ')} off: a power failure can lose acknowledged messages, or all data. Set them to on in postgresql.conf (${COMMAND} doctor checks them), or set ALLOW_UNSAFE_DATABASE=true for development.`,
    );
    this.name = 'UnsafeDatabase';
  }
}

/** Refuses a PostgreSQL that does not keep what it has confirmed. */
export async function requireDisk(db: Database, config: Pick<Config, 'allowUnsafeDatabase'>): Promise<void> {
  if (config.allowUnsafeDatabase) return;
  const off = await column<string>(db)`
    select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name`;
  if (off.length > 0) throw new UnsafeDatabase(off);
}
