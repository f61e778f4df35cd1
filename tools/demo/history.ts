import pg from 'pg';
import {
  type Access,
  type App,
  accessTo,
  addNote,
  beginUpload,
  claimInvite,
  createInvites,
  findUpload,
  markSeen,
  nameVisitor,
  newVisitor,
  processMedia,
  saveProfile,
  seeInvite,
  senderOf,
  sendMessage,
  setStatus,
  startProcessing,
  transfer,
  visitorOf,
} from '../../server/testing/installation.ts';
import type { Staff, Visitor } from '../../server/testing/rules.ts';
import { type DrawingName, draw, type Line, type Story } from './content.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const READS_AFTER_MS = 4 * SECOND_MS;
const INVITE_DAYS = 60;

/** An event of the past, to be repeated at its time. */
export type Event = { at: number; happen: () => Promise<void> };

export type Team = { admin: Staff; at: (desk: string) => Staff };

/** An invite link, and the code that opens its conversation in another browser. */
export type ChatLink = { link: string; code: string };

/** The events of a conversation, in order. `created` receives its link. */
export function eventsOf(
  app: App,
  team: Team,
  story: Story,
  now: number,
  created: (link: ChatLink) => void = () => {},
): Event[] {
  const end = now - story.endedAgo * MINUTE_MS;
  const total = story.lines.reduce((sum, [, , after]) => sum + after * SECOND_MS, 0);
  const start = end - total;
  const staff = team.at(story.desk);
  let chat: Chat | undefined;
  const here = (): Chat => {
    if (chat === undefined) throw new Error(`the chat with ${story.name} has not begun`);
    return chat;
  };

  const events: Event[] = [
    {
      at: start - 30 * SECOND_MS,
      async happen() {
        chat = await begin(app, team.admin, story);
        created(chat);
      },
    },
  ];
  let at = start;
  const read = new Map<Line[0], number>();
  for (const [index, line] of story.lines.entries()) {
    const [who, , after] = line;
    at += after * SECOND_MS;
    const seq = index + 1;
    // The sender has read the lines before.
    if (index > (read.get(who) ?? 0)) {
      read.set(who, index);
      events.push({ at: at - READS_AFTER_MS, happen: () => see(app, here(), staff, who, index) });
    }
    events.push({ at, happen: () => send(app, here(), staff, line) });
    for (const [afterLine, text] of story.notes ?? []) {
      if (afterLine !== seq) continue;
      const happen = async (): Promise<void> => {
        await addNote(app, staff, { conversationId: here().conversationId, id: app.random.uuid(), text });
      };
      events.push({ at: at + SECOND_MS, happen });
    }
  }
  events.push({ at: at + 2 * SECOND_MS, happen: () => settle(app, here(), staff, story) });
  return events;
}

type Chat = ChatLink & { conversationId: string; visitor: Visitor };

export function tokenOf(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}

async function begin(app: App, admin: Staff, { name, desk, label }: Story): Promise<Chat> {
  const draft = { id: app.random.uuid(), alias: desk, label, days: INVITE_DAYS, keepDays: null };
  const [made] = await createInvites(app, admin, {
    batchId: app.random.uuid(),
    attempt: 1,
    invites: [draft],
  });
  const link = made?.link ?? '';
  const token = tokenOf(link);
  await seeInvite(app, token);
  const { conversationId, continueCode, secret } = await claimInvite(app, visitorOf(newVisitor(app)), {
    token,
    browser: 'Chrome on Android',
  });
  if (secret === undefined) throw new Error('nobody claimed the invite');
  const visitor = visitorOf(secret);
  if (name !== '') {
    await nameVisitor(app, visitor, conversationId, name);
    await saveProfile(app, visitor, name);
  }
  return { link, code: continueCode ?? '', conversationId, visitor };
}

async function send(app: App, chat: Chat, staff: Staff, [who, what]: Line): Promise<void> {
  const { conversationId } = chat;
  const sending = sideOf(chat, staff, who);
  const id = app.random.uuid();
  if (typeof what === 'string') await sendMessage(app, sending, { conversationId, id, text: what });
  else {
    const access = await accessTo(app, sending.caller, conversationId);
    const mediaId = await uploadPicture(app, access, what.picture);
    await sendMessage(app, sending, { conversationId, id, mediaId });
  }
}

function see(app: App, chat: Chat, staff: Staff, who: Line[0], seq: number): Promise<void> {
  return markSeen(app, sideOf(chat, staff, who), chat.conversationId, seq);
}

function sideOf({ visitor }: Chat, staff: Staff, who: Line[0]): Pick<Access, 'caller' | 'side'> {
  return { caller: who === 'visitor' ? visitor : staff, side: who };
}

/** Applies the outcome of the conversation. */
async function settle(app: App, chat: Chat, staff: Staff, story: Story): Promise<void> {
  const { conversationId } = chat;
  const head = story.lines.length;
  await see(app, chat, staff, 'visitor', head);
  const read = head - (story.unread ?? 0);
  if (read > 0) await see(app, chat, staff, 'owner', read);
  if (story.handedTo !== undefined) {
    const { desk: alias, note } = story.handedTo;
    await transfer(app, staff, conversationId, { alias, note });
  }
  if (story.outcome === 'closed') await setStatus(app, staff, conversationId, { status: 'closed' });
  else if (story.outcome !== undefined) {
    await setStatus(app, staff, conversationId, { status: 'blocked', reason: story.outcome.blocked });
  }
}

/** Uploads and processes an image without a client. Returns its id. */
async function uploadPicture(app: App, access: Access, which: DrawingName): Promise<string> {
  const bytes = await draw(which);
  const mediaId = app.random.uuid();
  const type = 'image/jpeg';
  await beginUpload(app, access, { mediaId, type, bytes: bytes.length, fileName: `${which}.jpg` });
  const upload = await findUpload(app.db, mediaId, senderOf(access));
  if (upload === undefined) throw new Error('The upload was not begun.');
  await app.media.put(upload.staged_path, bytes, type);
  await startProcessing(app.db, mediaId);
  await processMedia(app, mediaId);
  return mediaId;
}

/**
 * Sets the time that now() and clock_timestamp() return in a database, so that the product's own actions can write
 * history. Affects only connections that are opened afterwards.
 */
export async function travelInTime(ownerUrl: string): Promise<{
  goTo(at: number): Promise<void>;
  /** Restores the real time and removes all traces. */
  end(): Promise<void>;
}> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  const name = new URL(ownerUrl).pathname.slice(1);
  const { rows: defaults } = await client.query<{ column: string }>(DEFAULTS_OF_NOW);
  await client.query(`
    create schema travel;
    grant usage on schema travel to public;
    create table travel.clock (at timestamptz not null);
    grant select on travel.clock to public;
    insert into travel.clock values (pg_catalog.now());
    create function travel.clock_timestamp() returns timestamptz language sql volatile as 'select at from travel.clock';
    create function travel.now() returns timestamptz language sql stable as 'select at from travel.clock';
    ${defaults.map(({ column }) => `${column} set default travel.now();`).join('\n')}
    alter function chain_audit() set search_path = travel, pg_catalog, public, pg_temp;
    alter database ${name} set search_path = travel, pg_catalog, public`);
  return {
    goTo: async (at) => {
      await client.query('update travel.clock set at = $1', [new Date(at)]);
    },
    end: async () => {
      await client.query(`
        ${defaults.map(({ column }) => `${column} set default pg_catalog.now();`).join('\n')}
        alter function chain_audit() set search_path = pg_catalog, public, pg_temp;
        alter database ${name} reset search_path;
        drop schema travel cascade`);
      await client.end();
    },
  };
}

/** Column defaults are bound to their function, so the search path does not affect them. */
const DEFAULTS_OF_NOW = `
  select format('alter table %s alter column %I', d.adrelid::regclass, a.attname) as column
  from pg_attrdef d
  join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  join pg_class c on c.oid = d.adrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and pg_get_expr(d.adbin, d.adrelid) = 'now()'`;
