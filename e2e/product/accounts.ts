import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the command line as an operator does. The environment selects the installation. */
export function settee(args: string[], env = process.env, input?: string): string {
  return execFileSync(process.execPath, ['server/src/cli.ts', ...args], {
    encoding: 'utf8',
    cwd: `${import.meta.dirname}/../..`,
    env,
    ...(input !== undefined && { input }),
  });
}

/** Creating 20 takes as long as creating one, and a test that needs one often needs more. */
const INVITES_AT_ONCE = 20;

/** Invites that were created in advance, by alias. */
const stockedInvites = new Map<string, string[]>();

/** Creates a handler. Without an alias, the handler gets a new desk. */
export function createHandler(
  alias?: string,
  env: NodeJS.ProcessEnv = process.env,
  { name = NAME, email = `${alias}@settee.example` } = {},
): Handler {
  if (alias === undefined) return handlerFromStock(env);
  const account = ['--alias', alias, '--email', email, '--name', name];
  settee(['handler', 'create', ...account, '--password-stdin'], env, PASSWORD);
  return { alias, email, password: PASSWORD };
}

function handlerFromStock(env: NodeJS.ProcessEnv): Handler {
  const { handler, invites } = takeFromStock('desks', env);
  stockedInvites.set(handler.alias, invites);
  return handler;
}

/** The path of a new invite, `/i/…`. */
export function createInvite(alias: string, env = process.env): string {
  return createInvites(alias, 1, env)[0] ?? '';
}

export function createInvites(alias: string, count: number, env = process.env): string[] {
  const ready = stockedInvites.get(alias);
  // A test that named its desk may count the invites.
  if (!ready) return makeInvites(alias, count, env);
  if (ready.length < count) ready.push(...makeInvites(alias, Math.max(count, INVITES_AT_ONCE), env));
  return ready.splice(0, count);
}

function makeInvites(alias: string, count: number, env: NodeJS.ProcessEnv): string[] {
  const printed = settee(['invite', 'create', '--alias', alias, '--count', String(count)], env);
  const links = printed.match(/https?:\/\/\S+\/i\/\S+/g) ?? [];
  if (links.length !== count) throw new Error(`not ${count} links in: ${printed}`);
  return links.map((link) => new URL(link).pathname);
}

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
