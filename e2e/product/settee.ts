import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';

/** The command line, as an operator uses it. The environment says of which installation. */
export function settee(args: string[], env = process.env): string {
  return execFileSync(process.execPath, ['server/src/cli.ts', ...args], {
    encoding: 'utf8',
    cwd: `${import.meta.dirname}/../..`,
    env,
  });
}

export type Handler = { alias: string; email: string; password: string };

const PASSWORD = 'a password for the browser tests';

export function createHandler(
  alias = `desk-${randomUUID().slice(0, 8)}`,
  env: NodeJS.ProcessEnv = process.env,
): Handler {
  const email = `${alias}@settee.example`;
  execFileSync(
    process.execPath,
    [
      'server/src/cli.ts',
      'handler',
      'create',
      '--alias',
      alias,
      '--email',
      email,
      '--name',
      'Ana Kovač',
      '--password-stdin',
    ],
    { input: PASSWORD, cwd: `${import.meta.dirname}/../..`, env },
  );
  return { alias, email, password: PASSWORD };
}

/** The path of a fresh invite, `/i/…`. */
export function createInvite(alias: string, env = process.env): string {
  const printed = settee(['invite', 'create', '--alias', alias], env);
  const link = /https?:\/\/\S+\/i\/\S+/.exec(printed)?.[0];
  if (link === undefined) throw new Error(`no link in: ${printed}`);
  return new URL(link).pathname;
}

/** What time and an administrator do to an invite; their own screens come later. */
export function expireInvite(invite: string): Promise<string> {
  return changeInvite(invite, "expires_at = now() - interval '1 minute'");
}

export function revokeInvite(invite: string): Promise<string> {
  return changeInvite(invite, "state = 'REVOKED', revoked_at = now()");
}

async function changeInvite(invite: string, change: string): Promise<string> {
  const client = new pg.Client(process.env.DATABASE_URL ?? '');
  await client.connect();
  const hash = createHash('sha256').update(invite.slice('/i/'.length)).digest();
  await client.query(`update invites set ${change} where token_hash = $1`, [hash]);
  await client.end();
  return invite;
}
