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

async function changeInvite(invite: string, change: string): Promise<string> {
  await query(invite, `update invites set ${change} where token_hash = $1`);
  return invite;
}

/** What a handler's hand does to all browsers of a conversation. */
export async function revokeDevices(invite: string): Promise<void> {
  await query(
    invite,
    `update devices set revoked_at = now()
     from conversations join invites on invites.id = conversations.invite_id
     where devices.conversation_id = conversations.id and token_hash = $1`,
  );
}

/** The conversation as the database has it, by number. */
export async function storedTexts(invite: string): Promise<string[]> {
  const rows = await query<{ text: string }>(
    invite,
    `select messages.text from messages
     join conversations on conversations.id = messages.conversation_id
     join invites on invites.id = conversations.invite_id
     where token_hash = $1 order by messages.seq`,
  );
  return rows.map(({ text }) => text);
}

/** Asks the database; the one parameter is the hash of the invite's token. */
async function query<Row extends pg.QueryResultRow>(invite: string, text: string): Promise<Row[]> {
  const client = new pg.Client(process.env.DATABASE_URL ?? '');
  await client.connect();
  const hash = createHash('sha256').update(invite.slice('/i/'.length)).digest();
  const { rows } = await client.query<Row>(text, [hash]);
  await client.end();
  return rows;
}
