// An installation of the old release in use, by the calls that both releases have: every state of a conversation, and
// everything that people leave behind.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { query } from '../topology/installation.ts';
import type { Release } from '../topology/releases.ts';
import { Browser, PASSWORD } from '../world/world.ts';

export const PROFILE = 'The Reading Room';
export const ADMIN = 'admin@settee.example';
const STATES = ['active', 'waiting', 'blocked', 'closed', 'erased', 'moved', 'long'] as const;
export type State = (typeof STATES)[number];
export type Place = { origin: string; port: number; databaseUrl: string };

export type Chat = { id: string; token: string; code: string; visitor: Browser; said: Said[] };
export type Life = {
  chats: Record<State, Chat>;
  /** Signed in before the upgrade. */
  east: Browser;
  west: Browser;
  images: { visitor: string; handler: string };
  unused: string;
};

export async function live(old: Release, place: Place, messages: number): Promise<Life> {
  const [east, west] = await createStaff(old, place);
  await old.settee(['brand', 'set', '--name', PROFILE, '--disclosure', '{name} answers with care']);
  const links = await old.settee(['invite', 'create', '--alias', 'east', '--count', `${STATES.length + 1}`]);
  const tokens = [...links.matchAll(/^http\S+\/(\S+)$/gm)].map(([, token]) => token ?? '');
  const chats = {} as Record<State, Chat>;
  for (const [number, state] of STATES.entries())
    chats[state] = await openChat(place, east, { state, token: tokens[number] ?? '' });
  const { active } = chats;
  const images = {
    visitor: await sendImage(active.visitor, active.id, '#c81414'),
    handler: await sendImage(east, active.id, '#1414c8'),
  };
  await east.call(`/conversations/${active.id}/notes`, { id: randomUUID(), text: 'Asks for the quiet room' });
  await east.call(`/replies/${randomUUID()}`, { shortcut: 'hi', text: 'Hello {name}', shared: true }, 'PUT');
  await send(chats.waiting.visitor, chats.waiting.id, 'Is anybody there?');
  const setStatus = (state: State, body: object) =>
    east.call(`/conversations/${chats[state].id}/status`, body, 'PUT');
  await setStatus('blocked', { status: 'blocked', reason: 'spam', hours: 168 });
  await setStatus('closed', { status: 'closed' });
  await chats.erased.visitor.call(`/conversations/${chats.erased.id}`, undefined, 'DELETE');
  await east.call(`/conversations/${chats.moved.id}/transfer`, { alias: 'west', note: 'Yours' });
  await subscribe(place, active.id);
  await writeMany(place.databaseUrl, chats.long.id, messages);
  for (const [state, chat] of Object.entries(chats))
    if (state !== 'erased') chat.said = await readTable(place.databaseUrl, chat.id);
  return { chats, east, west, images, unused: tokens.at(-1) ?? '' };
}

async function createStaff(old: Release, { origin, port }: Place): Promise<[Browser, Browser]> {
  const input = `${PASSWORD}\n`;
  await old.settee(['admin', 'create', '--email', ADMIN, '--password-stdin'], input);
  const handlers: Browser[] = [];
  for (const alias of ['east', 'west']) {
    const email = `${alias}@settee.example`;
    const person = ['--alias', alias, '--email', email, '--password-stdin'];
    await old.settee(['handler', 'create', ...person], input);
    const browser = new Browser(origin, port);
    await browser.call('/auth/staff/sign-in', { email, password: PASSWORD });
    handlers.push(browser);
  }
  return handlers as [Browser, Browser];
}

async function openChat(
  { origin, port }: Place,
  handler: Browser,
  { state, token }: { state: State; token: string },
): Promise<Chat> {
  const visitor = new Browser(origin, port);
  await visitor.call('/auth/anonymous');
  const claimed = await visitor.call('/claimInvite', { token, csrf: csrf() });
  await visitor.call('/auth/anonymous');
  const id = String(claimed.conversationId);
  await visitor.call(`/conversations/${id}/visitorName`, { visitorName: `Léa ${state}` }, 'PUT');
  for (const [after, question] of ['Hello', 'One more: 日本語, عربي, 🛋️'].entries()) {
    await send(visitor, id, `${question} (${state})`);
    await send(handler, id, `Answer ${after} (${state})`, after * 2 + 1);
  }
  return { id, token, code: String(claimed.continueCode), visitor, said: [] };
}

/** By hand: a real subscription would contact a push service. */
async function subscribe({ databaseUrl }: Place, conversation: string): Promise<void> {
  await query(
    databaseUrl,
    `insert into push_subscriptions (visitor_id, endpoint, p256dh, auth)
     select visitor_id, 'https://push.example/1', 'key', 'auth' from devices where conversation_id = $1`,
    [conversation],
  );
}

/** Many messages, stored by the old release's own function. */
async function writeMany(databaseUrl: string, conversation: string, count: number): Promise<void> {
  const step = 500;
  for (let written = 0; written < count; written += step) {
    const rows = await query(
      databaseUrl,
      `select count(*) filter (where outcome = 0)::int from append_messages(
         array_fill($1::uuid, array[$2::int]), array(select gen_random_uuid() from generate_series(1, $2::int)),
         array_fill(false, array[$2::int]),
         array_fill((select author_id from messages where conversation_id = $1 and not from_owner limit 1), array[$2::int]),
         array_fill(null::text, array[$2::int]),
         array(select 'Message ' || ($3::int + n) || repeat(' of a long chat', 5) from generate_series(1, $2::int) n),
         array_fill(null::int, array[$2::int]), array_fill(null::uuid, array[$2::int]), false)`,
      [conversation, Math.min(step, count - written), written],
    );
    if (Number(rows[0]?.[0]) === 0) throw new Error('the old release stored nothing');
  }
}

export const csrf = (): string => String(Date.now());
const TIMEOUT_MS = 20_000;

export type Said = { seq: number; id: string; sender: string; text: string; createdAt: number };

export async function send(person: Browser, conversation: string, text: string, after?: number) {
  const body = { id: randomUUID(), text, ...(after !== undefined && { after }) };
  await person.call(`/conversations/${conversation}/messages`, body);
}

/** The conversation as its pages show it. */
export async function readAll(person: Browser, conversation: string, from = 0): Promise<Said[]> {
  const all: Said[] = [];
  for (;;) {
    const path = `/conversations/${conversation}/messages?after=${all.at(-1)?.seq ?? from}`;
    const { messages } = (await person.call(path, undefined, 'GET')) as { messages: Said[] };
    all.push(
      ...messages.map(({ seq, id, sender, text, createdAt }) => ({ seq, id, sender, text, createdAt })),
    );
    if (messages.length === 0) return all;
  }
}

/** The same, from the table: 100,000 messages have 2,000 pages. */
export async function readTable(databaseUrl: string, conversation: string): Promise<Said[]> {
  const rows = await query(
    databaseUrl,
    `select seq, id::text, case when from_owner then 'owner' else 'visitor' end, text,
       trunc(extract(epoch from created_at) * 1000)::float8
     from messages where conversation_id = $1 order by seq`,
    [conversation],
  );
  return (rows as [number, string, string, string, number][]).map(([seq, id, sender, text, createdAt]) => ({
    seq,
    id,
    sender,
    text,
    createdAt,
  }));
}

/** Sends an image of this colour. Returns its id. */
export async function sendImage(person: Browser, conversation: string, background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .png()
    .toBuffer();
  const mediaId = randomUUID();
  const path = `/conversations/${conversation}/media`;
  const begun = { mediaId, type: 'image/png', bytes: bytes.length, fileName: 'cat.png' };
  const { uploadUrl } = await person.call(path, begun);
  const put = await fetch(String(uploadUrl), {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'image/png' },
  });
  if (!put.ok) throw new Error(`the upload answered ${put.status}`);
  const until = performance.now() + TIMEOUT_MS;
  while ((await person.call(`${path}/${mediaId}/uploaded`)).state !== 'ready') {
    if (performance.now() > until) throw new Error('the image was not processed');
    await sleep(100);
  }
  await person.call(`${path}/${mediaId}/message`, { id: randomUUID() });
  return mediaId;
}

/** The first pixel of an image, as the browser gets it. */
export async function pixelOf(person: Browser, conversation: string, mediaId: string): Promise<number[]> {
  const { url } = await person.call(`/conversations/${conversation}/media/${mediaId}`, undefined, 'GET');
  const response = await fetch(String(url));
  if (!response.ok) throw new Error(`the image answered ${response.status}`);
  const pixels = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer();
  return [...pixels.subarray(0, 3)];
}
