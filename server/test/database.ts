import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A fresh copy of the migrated database, and the way to be rid of it. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { DATABASE_URL } = inject('engines');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const admin = new pg.Client(DATABASE_URL);
    await admin.connect();
    await admin.query(statement);
    await admin.end();
  };
  await run(`create database ${name} template settee_template`);
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
