import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Handler = { alias: string; email: string; password: string };
export type Admin = { email: string; password: string; name: string };
export type Stock = { desks: { handler: Handler; invites: string[] }[]; admins: Admin[] };
export type StockOrder = { desks: number; admins: number; name: string; password: string };

export const PASSWORD = 'a password for the browser tests';
export const NAME = 'Ana Kovač';

/** The folder with the accounts that the workers take. Set before the first test. */
const FOLDER = 'E2E_STOCK';
/** Accounts that a worker takes at once. It does not return unused ones. */
const BATCH = 4;

const held = new Map<string, unknown[]>();

/** Creates accounts in advance for all workers. Returns their folder. */
export function fillStock(desks: number, admins: number): string {
  const made = makeStock({ desks, admins }, process.env);
  const folder = mkdtempSync(join(tmpdir(), 'settee-stock-'));
  for (const [kind, all] of Object.entries(made)) {
    for (let from = 0; from < all.length; from += BATCH) {
      writeFileSync(join(folder, `${kind}-${from}.json`), JSON.stringify(all.slice(from, from + BATCH)));
    }
  }
  process.env[FOLDER] = folder;
  return folder;
}

/** Takes an account that was created in advance, or creates some. */
export function takeFromStock<K extends keyof Stock>(kind: K, env: NodeJS.ProcessEnv): Stock[K][number] {
  const key = `${kind} ${env.DATABASE_URL}`;
  const ready = (held.get(key) ?? []) as Stock[K];
  held.set(key, ready);
  if (ready.length === 0) {
    const shared = env.DATABASE_URL === process.env.DATABASE_URL;
    const batch = (shared && takeBatch(kind)) || makeStock({ desks: 0, admins: 0, [kind]: BATCH }, env)[kind];
    (ready as unknown[]).push(...batch);
  }
  const taken = ready.pop();
  if (taken === undefined) throw new Error(`no ${kind} were created`);
  return taken;
}

/** Only one process can rename a file. */
function takeBatch<K extends keyof Stock>(kind: K): Stock[K] | undefined {
  const folder = process.env[FOLDER];
  if (folder === undefined) return undefined;
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(`${kind}-`)) continue;
    const mine = join(folder, `taken-${file}`);
    try {
      renameSync(join(folder, file), mine);
    } catch {
      continue;
    }
    return JSON.parse(readFileSync(mine, 'utf8')) as Stock[K];
  }
  return undefined;
}

function makeStock(order: { desks: number; admins: number }, env: NodeJS.ProcessEnv): Stock {
  const printed = execFileSync(process.execPath, ['e2e/product/makeStock.ts'], {
    encoding: 'utf8',
    input: JSON.stringify({ ...order, name: NAME, password: PASSWORD } satisfies StockOrder),
    cwd: `${import.meta.dirname}/../..`,
    env,
  });
  return JSON.parse(printed) as Stock;
}
