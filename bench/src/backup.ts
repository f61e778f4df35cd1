import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from '../../server/testing/installation.ts';
import { createFreshDatabase } from '../../tools/freshDatabase.ts';
import { store } from './bulk.ts';
import { benchConfig, seedDesks } from './people.ts';
import { memoryOf } from './processes.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const CLI = fileURLToPath(new URL('../../server/src/cli.ts', import.meta.url));
const DESKS = 20;
const EACH = 100;

type Run = { seconds: number; memoryMb: number };
export type BackupResult = {
  messages: number;
  /** Of the rows in PostgreSQL, without indexes. */
  tableBytes: number;
  /** Of all written files. */
  bytes: number;
  backup: Run;
  verify: Run;
  restore: Run;
};

/** Half of each text is random, because repeated words would compress better than real texts. */
const TEXT = `'and so it goes on, as people write: '
  || substr(md5(random()::text) || md5(random()::text), 1, 20 + s.seq % 40)`;

/** Runs the same commands as an operator. Measures rows only, because images depend on the object store. */
export function measureBackup(engines: Engines, messages: number): Promise<BackupResult> {
  return engines.withDatabase((database) => measureIn(database, messages));
}

async function measureIn(database: BenchDatabase, messages: number): Promise<BackupResult> {
  const target = await createFreshDatabase(database.ownerUrl, { prefix: 'bench' });
  const folder = await mkdtemp(join(tmpdir(), 'settee-bench-'));
  const to = join(folder, 'backup');
  try {
    const counts = Array<number>(Math.ceil(messages / EACH)).fill(EACH);
    await store(database, await seedDesks(database, DESKS), counts, TEXT);
    const backup = await run(['backup', '--to', to], database, folder);
    const verify = await run(['backup', 'verify', '--from', to], database, folder);
    const restore = await run(['restore', '--from', to], target, folder);
    const { tables } = await readManifest(to);
    const [size] = await database.run<{ bytes: string }>(
      `select sum(pg_table_size(inhrelid)) as bytes from pg_inherits where inhparent = 'messages'::regclass`,
    );
    return {
      messages,
      tableBytes: Number(size?.bytes),
      bytes: tables.reduce((sum, { file }) => sum + file.bytes, 0),
      backup,
      verify,
      restore,
    };
  } finally {
    await rm(folder, { recursive: true });
    await target.drop();
  }
}

function run(args: string[], database: { url: string; ownerUrl: string }, folder: string): Promise<Run> {
  const startedAt = performance.now();
  const { secret, publicUrl } = benchConfig(0);
  const child = spawn(process.execPath, [CLI, ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET: secret,
      PUBLIC_URL: publicUrl,
      MEDIA_ROOT: join(folder, 'media'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let memoryMb = 0;
  const looking = setInterval(() => {
    // Only Linux reports the peak.
    memoryMb = Math.max(memoryMb, memoryOf(child.pid, 'status', 'VmHWM') / 2 ** 20 || 0);
  }, 100);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      clearInterval(looking);
      if (code === 0) resolve({ seconds: (performance.now() - startedAt) / 1_000, memoryMb });
      else reject(new Error(`settee ${args.join(' ')} ended with ${String(code)}`));
    });
  });
}
