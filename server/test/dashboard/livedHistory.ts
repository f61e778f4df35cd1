import { transfer } from '../../src/conversations/handOver.ts';
import { setStatus } from '../../src/conversations/status.ts';
import { claimInvite, seeInvite } from '../../src/invites/claimInvite.ts';
import { createInvite } from '../../src/invites/createInvites.ts';
import { sendMessage } from '../../src/messages/sendMessage.ts';
import { Refusal } from '../../src/platform/auth/refusal.ts';
import type { Staff, Visitor } from '../../src/platform/ports/caller.ts';
import { createHandler } from '../../src/staff/people/createAccount.ts';
import { PASSWORD } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { seededRandom } from '../support/seededRandom.ts';

const DESKS = ['mara-east', 'mara-tour', 'mara-press', 'mara-night'];

/**
 * Gives this database another clock. Everything that asks it for the time gets `at`, like the append function and the
 * creation times. Call it before anything is sent.
 */
export async function travelInTime(server: TestServer): Promise<(at: number) => Promise<void>> {
  const name = new URL(server.databaseUrl).pathname.slice(1);
  await server.asOwner(`
    create schema travel;
    grant usage on schema travel to public;
    create table travel.clock (at timestamptz not null);
    grant select, update on travel.clock to public;
    insert into travel.clock values (pg_catalog.now());
    create function travel.clock_timestamp() returns timestamptz language sql volatile as 'select at from travel.clock';
    alter table conversations alter created_at set default travel.clock_timestamp(),
      alter last_message_at set default travel.clock_timestamp();
    alter table invites alter created_at set default travel.clock_timestamp();
    -- Connections that were already open do not use this clock.
    create function travel.note_now() returns trigger language plpgsql as
      'begin new.created_at := travel.clock_timestamp(); return new; end';
    create trigger note_now before insert on notes for each row execute function travel.note_now();
    alter database ${name} set search_path = travel, pg_catalog, public`);
  return async (at) => {
    await server.app.db.pool.query('update travel.clock set at = $1', [new Date(at)]);
  };
}

type Chat = { conversationId: string; visitor: Visitor; desk: string; lastWord: 'visitor' | 'owner' | null };

/** Simulates weeks of work with the product's own actions: invites, conversations, answers, transfers, endings. */
export async function liveThrough(
  server: TestServer,
  span: { from: number; until: number; steps: number; seed: number },
  goTo: (at: number) => Promise<void>,
): Promise<void> {
  const { app } = server;
  const random = seededRandom(span.seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[random.below(Math.max(1, from.length))];
  const staff = new Map<string, Staff>();
  for (const alias of DESKS) staff.set(alias, await hire(server, alias));
  const staffOf = (alias: string) => staff.get(alias) as Staff;
  const unopened: string[] = [];
  const seen: string[] = [];
  const chats: Chat[] = [];

  const send = async (chat: Chat, side: 'visitor' | 'owner'): Promise<void> => {
    const caller = side === 'visitor' ? chat.visitor : staffOf(chat.desk);
    const draft = { conversationId: chat.conversationId, id: random.uuid(), text: 'a word' };
    chat.lastWord = side;
    await sendMessage(app, { caller, side }, draft).catch((error: unknown) => {
      // Closed to a handler, or blocked: nothing was stored.
      if (!(error instanceof Refusal)) throw error;
    });
  };
  const claim = async (): Promise<void> => {
    const token = (random.below(2) === 0 ? seen : unopened).pop();
    if (token === undefined) return;
    const visitor: Visitor = { kind: 'visitor', visitorId: random.uuid(), credential: Buffer.alloc(32) };
    const { conversationId } = await claimInvite(app, visitor, { token, browser: '' });
    const { rows } = await app.db.pool.query(
      'select handler_alias as desk from conversations where id = $1',
      [conversationId],
    );
    chats.push({ conversationId, visitor, desk: rows[0].desk, lastWord: null });
  };
  const moves: (() => Promise<void>)[] = [
    async () => {
      const { link } = await createInvite(app, { alias: pick(DESKS) ?? '', days: 3_000 }, 'test');
      unopened.push(link.slice(link.lastIndexOf('/') + 1));
    },
    async () => {
      const token = unopened.pop();
      if (token === undefined) return;
      await seeInvite(app, token);
      seen.push(token);
    },
    claim,
    claim,
    async () => {
      const chat = pick(chats);
      if (chat === undefined) return;
      const status = pick(['open', 'closed', 'blocked'] as const) ?? 'open';
      // A waiting conversation is not ended here: its waiting time would then depend on more than the messages.
      if (chat.lastWord === 'visitor') return;
      const { rows } = await app.db.pool.query('select status from conversations where id = $1', [
        chat.conversationId,
      ]);
      await setStatus(app, staffOf(chat.desk), chat.conversationId, { status, from: rows[0].status });
    },
    async () => {
      const chat = pick(chats);
      const to = pick(DESKS);
      if (chat === undefined || to === undefined || to === chat.desk) return;
      await transfer(app, staffOf(chat.desk), chat.conversationId, { alias: to, note: '' });
      chat.desk = to;
    },
    // Several at once in one batch, in the same and in different conversations.
    async () => {
      const [one, other] = [pick(chats), pick(chats)];
      if (one === undefined || other === undefined || one === other) return;
      await Promise.all([
        send(one, 'visitor'),
        send(other, 'owner'),
        send(one, 'owner'),
        send(one, 'visitor'),
      ]);
    },
  ];

  const stride = (2 * (span.until - span.from)) / span.steps;
  for (let at = span.from; at < span.until; at += random.below(Math.floor(stride)) + 1) {
    await goTo(at);
    const move = random.below(2 * moves.length);
    const chosen = moves[move];
    if (chosen !== undefined) await chosen();
    else {
      const chat = pick(chats.slice(-12));
      if (chat !== undefined) await send(chat, random.below(5) < 3 ? 'visitor' : 'owner');
    }
  }
}

async function hire(server: TestServer, alias: string): Promise<Staff> {
  const email = `${alias}@settee.example`;
  await createHandler(server.app, { alias, email, name: alias, password: PASSWORD }, 'test');
  const { rows } = await server.app.db.pool.query('select id from staff where email = $1', [email]);
  const staffId = rows[0].id as string;
  return {
    kind: 'staff',
    staffId,
    sessionId: staffId,
    name: alias,
    role: 'handler',
    alias,
    desks: [{ alias, off: false }],
    away: false,
    verified: true,
    enrolBy: null,
    overdue: false,
  };
}
