import { execFileSync } from 'node:child_process';

/** The command line, as an operator uses it. The environment says of which installation. */
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

export type Handler = { alias: string; email: string; password: string };

const PASSWORD = 'a password for the browser tests';

const NAME = 'Ana Kovač';

/** Desks made ahead, by the database they are in; their invites, by alias. */
const stock = new Map<string | undefined, { handler: Handler; invites: string[] }[]>();
const stockedInvites = new Map<string, string[]>();

/** Somebody at a desk; without an alias, at a desk of their own. */
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
  const desks = stock.get(env.DATABASE_URL) ?? [];
  stock.set(env.DATABASE_URL, desks);
  if (desks.length === 0) {
    const printed = execFileSync(process.execPath, ['e2e/product/stockDesks.ts'], {
      encoding: 'utf8',
      input: JSON.stringify({ name: NAME, password: PASSWORD }),
      cwd: `${import.meta.dirname}/../..`,
      env,
    });
    desks.push(...(JSON.parse(printed) as typeof desks));
  }
  const desk = desks.pop();
  if (desk === undefined) throw new Error('no desks were made');
  stockedInvites.set(desk.handler.alias, desk.invites);
  return desk.handler;
}

/** The path of a fresh invite, `/i/…`. */
export function createInvite(alias: string, env = process.env): string {
  return createInvites(alias, 1, env)[0] ?? '';
}

export function createInvites(alias: string, count: number, env = process.env): string[] {
  const ready = stockedInvites.get(alias) ?? [];
  if (ready.length >= count) return ready.splice(0, count);
  const printed = settee(['invite', 'create', '--alias', alias, '--count', String(count)], env);
  const links = printed.match(/https?:\/\/\S+\/i\/\S+/g) ?? [];
  if (links.length !== count) throw new Error(`not ${count} links in: ${printed}`);
  return links.map((link) => new URL(link).pathname);
}
