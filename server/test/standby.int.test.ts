import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killPostgres, postgresUrl, startPostgres, stopPostgres } from '../../tools/engines/postgres.ts';
import { instanceFolder } from '../../tools/engines/state.ts';
import { openDatabase } from '../src/db/engine/database.ts';
import { one } from '../src/db/engine/query.ts';
import { appendConnection } from '../src/db/message/appendCall.ts';
import { doctorOf } from './doctorWorld.ts';

const instance = `standby-${process.pid}`;
const REFUSAL = 'this PostgreSQL is a standby';
let home = '';

beforeAll(async () => {
  home = (await startPostgres(instance)).folder ?? '';
});

afterAll(async () => {
  await killPostgres(instance);
  for (const folder of [home, instanceFolder(instance)]) rmSync(folder, { recursive: true, force: true });
});

/** Restarts it, as Patroni does with an old primary. */
async function restart(role: 'primary' | 'standby'): Promise<string> {
  await stopPostgres(instance);
  const mark = join(home, 'data/standby.signal');
  if (role === 'standby') writeFileSync(mark, '');
  else rmSync(mark);
  return postgresUrl(await startPostgres(instance));
}

async function isStandby(url: string): Promise<boolean> {
  const db = openDatabase(url, 1);
  try {
    return (await one<{ standby: boolean }>(db)`select pg_is_in_recovery() as standby`).standby;
  } finally {
    await db.close();
  }
}

test('[MSG-04] a gateway connects to a primary, and refuses a standby, which doctor explains', async () => {
  const standby = await restart('standby');
  await expect(isStandby(standby)).rejects.toThrow(REFUSAL);
  await expect(appendConnection(standby).connect()).rejects.toThrow(REFUSAL);
  const found = await doctorOf({ DATABASE_URL: standby, SECRET: 's'.repeat(32) }, { offline: true });
  expect(found.filter(({ check }) => check === 'database')).toEqual([
    {
      check: 'database',
      level: 'failure',
      says: expect.stringMatching(/^127\.0\.0\.1:\d+ is a standby$/),
      remedy: expect.stringContaining('Set DATABASE_URL to the primary'),
    },
  ]);
  const primary = await restart('primary');
  expect(await isStandby(primary)).toBe(false);
  const append = appendConnection(primary);
  await append.connect();
  await append.end();
});
