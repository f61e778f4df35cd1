import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sql, value } from './query.ts';
import { inTransaction } from './withClient.ts';

/** The first one stops messages. All but the last are compared after the copy. */
const TABLES = [
  ...['conversations', 'invites', 'devices', 'media', 'notes', 'blocks', 'desk_hours'],
  ...[
    'staff',
    'desk_staff',
    'staff_sessions',
    'staff_passkeys',
    'staff_totp',
    'saved_replies',
    'visitor_mails',
  ],
];
/** What a visitor changes. Workers change the other columns at any time. */
const VISITOR_MAIL_CHANGES = 'insert or delete or update of address, pending';
const NAME = 'leaving';
/** As in the function refuse_leaving. */
const LEAVING = 'MOVES';
const LOCK_NOT_AVAILABLE = '55P03';
const TRIES = 60;

/** A change was refused because its desk moves. The same change succeeds later, in the other cell. */
export function isLeaving(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LEAVING;
}

/**
 * Refuses every change of the desk, from a moment on in which no change is in progress. Only the owner of the tables can
 * do this. In contrast to a column that sends would read, it costs nothing while no desk moves.
 */
export async function raiseFence(client: pg.Client, alias: string): Promise<void> {
  for (const table of TABLES) {
    const changes = table === 'visitor_mails' ? VISITOR_MAIL_CHANGES : 'insert or update or delete';
    await withShortLock(
      client,
      `create or replace trigger ${NAME} before ${changes} on ${table}
       for each row execute function refuse_leaving(${pg.escapeLiteral(alias)})`,
    );
  }
}

export async function removeFence(client: pg.Client): Promise<void> {
  for (const table of TABLES) await withShortLock(client, `drop trigger if exists ${NAME} on ${table}`);
}

/** The desk that is fenced, or null. A job must leave it out: one refused row would stop its work for all desks. */
export const FENCED_DESK = sql`(
  select replace(encode(tgargs, 'escape'), '\\000', '') from pg_trigger
  where tgname = ${NAME} and tgrelid = any (${TABLES}::regclass[]) limit 1
)`;

/** The desk that an interrupted move left fenced. */
export async function fencedDesk(client: pg.Client): Promise<string | undefined> {
  return (await value<string | null>(client)`select ${FENCED_DESK}`) ?? undefined;
}

/** Other changes wait behind a statement that waits for a table, so it gives up soon and tries again. */
async function withShortLock(client: pg.Client, statement: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(client, async () => {
        await client.query("set local lock_timeout = '300ms'");
        await client.query(statement);
      });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || tries === TRIES) throw error;
      await sleep(100);
    }
  }
}
