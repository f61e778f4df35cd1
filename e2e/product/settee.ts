import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';

/** The command line, as an operator uses it. */
function settee(...args: string[]): string {
  return execFileSync(process.execPath, ['server/src/cli.ts', ...args], {
    encoding: 'utf8',
    cwd: `${import.meta.dirname}/../..`,
  });
}

export type Handler = { alias: string; email: string; password: string };

const PASSWORD = 'a password for the browser tests';

export function createHandler(alias = `desk-${randomUUID().slice(0, 8)}`): Handler {
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
    { input: PASSWORD, cwd: `${import.meta.dirname}/../..` },
  );
  return { alias, email, password: PASSWORD };
}

/** The path of a fresh invite, `/i/…`. */
export function createInvite(alias: string): string {
  const printed = settee('invite', 'create', '--alias', alias);
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

/** As the database has it: NEW, SEEN, BOUND or REVOKED. */
export async function inviteState(invite: string): Promise<unknown> {
  return (await ofInvite(invite, 'select state from invites'))[0]?.state;
}

async function changeInvite(invite: string, change: string): Promise<string> {
  await ofInvite(invite, `update invites set ${change}`);
  return invite;
}

async function ofInvite(invite: string, statement: string): Promise<{ state?: unknown }[]> {
  const client = new pg.Client(process.env.DATABASE_URL ?? '');
  await client.connect();
  const hash = createHash('sha256').update(invite.slice('/i/'.length)).digest();
  const { rows } = await client.query<{ state?: unknown }>(`${statement} where token_hash = $1`, [hash]);
  await client.end();
  return rows;
}
