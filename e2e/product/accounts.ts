import { execFileSync } from 'node:child_process';
import { type Handler, NAME, PASSWORD, takeFromStock } from './stock.ts';

export type { Handler };

/** Runs the command line as an operator does. The environment selects the installation. */
export function settee(args: string[], env = process.env): string {
  return runCli(args, env);
}

export function runCli(args: string[], env: NodeJS.ProcessEnv, input?: string): string {
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
  runCli(['handler', 'create', ...account, '--password-stdin'], env, PASSWORD);
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
