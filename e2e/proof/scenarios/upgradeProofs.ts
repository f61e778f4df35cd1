// What people and operators find in the new release.
import assert from 'node:assert/strict';
import { EXCLUDED_TABLES } from '../../../server/testing/installation.ts';
import { talk } from '../../../tools/ops/chat.ts';
import { query } from '../topology/installation.ts';
import type { Release } from '../topology/releases.ts';
import { Browser, PASSWORD } from '../world/world.ts';
import {
  ADMIN,
  type Chat,
  csrf,
  type Life,
  type Place,
  PROFILE,
  pixelOf,
  readAll,
  readTable,
  send,
} from './upgradeLife.ts';

const RED = [200, 20, 20];
const BLUE = [20, 20, 200];

/** How many of the last messages of a chat are read as its pages show them. */
const LAST = 200;

/** Every chat has the same messages with the same ids, in the same order: in the table, and for its visitor. */
export async function hasEveryMessage(databaseUrl: string, { chats }: Life): Promise<void> {
  for (const [state, { visitor, id, said }] of Object.entries(chats)) {
    if (state === 'erased') continue;
    const stored = await readTable(databaseUrl, id);
    assert.deepEqual(stored.slice(0, said.length), said, `the messages of the ${state} chat`);
    const numbers = stored.map(({ seq }) => seq);
    assert.ok(
      numbers.every((seq, index) => seq === index + 1),
      `the numbers of the ${state} chat`,
    );
    // As a page does when it opens: with the cookie only.
    await visitor.call('/auth/anonymous');
    const from = Math.max(0, stored.length - LAST);
    assert.deepEqual(await readAll(visitor, id, from), stored.slice(from), `the page of the ${state} chat`);
  }
}

export async function showsImages({ chats: { active }, images, east }: Life): Promise<void> {
  for (const person of [active.visitor, east]) {
    near(await pixelOf(person, active.id, images.visitor), RED);
    near(await pixelOf(person, active.id, images.handler), BLUE);
  }
}

function near(found: number[], expected: number[]): void {
  const close = expected.every((value, index) => Math.abs(value - (found[index] ?? -99)) < 12);
  assert.ok(close, `the image has the colour ${found.join(', ')} instead of ${expected.join(', ')}`);
}

/** The code that the old release showed, then the one of the new release. */
export async function continuesElsewhere(place: Place, chat: Chat): Promise<void> {
  await attach(place, chat, chat.code);
  const { continueCode } = await chat.visitor.call(`/conversations/${chat.id}/continueCode`);
  await attach(place, chat, String(continueCode));
}

async function attach({ origin, port }: Place, { token, said, id }: Chat, code: string): Promise<void> {
  const second = new Browser(origin, port);
  await second.call('/auth/anonymous');
  await second.call('/attachInvite', { token, code, csrf: csrf() });
  await second.call('/auth/anonymous');
  const found = await readAll(second, id);
  assert.deepEqual(found.slice(0, said.length), said);
}

export async function staffSessionsWork({ east, west }: Life): Promise<void> {
  for (const handler of [east, west]) await handler.call('/auth/staff/refresh');
  await east.call('/queue', undefined, 'GET');
}

export async function passwordsWork({ origin, port }: Place, life: Life): Promise<void> {
  const signIn = async (email: string): Promise<Browser> => {
    const browser = new Browser(origin, port);
    await browser.call('/auth/staff/sign-in', { email, password: PASSWORD });
    return browser;
  };
  life.east = await signIn('east@settee.example');
  life.west = await signIn('west@settee.example');
  const { brand } = await (await signIn(ADMIN)).call('/brand', undefined, 'GET');
  assert.equal((brand as { displayName: string }).displayName, PROFILE);
}

/** Notes, saved replies, hand-over, block, close and erasure are as they were. */
export async function keepsStates({ chats, east, west }: Life): Promise<void> {
  const get = (person: Browser, path: string) => person.call(path, undefined, 'GET');
  const notes = await get(east, `/conversations/${chats.active.id}/notes`);
  assert.match(JSON.stringify(notes), /Asks for the quiet room/);
  assert.match(JSON.stringify(await get(east, '/replies')), /Hello \{name\}/);
  assert.match(JSON.stringify(await get(west, `/conversations/${chats.moved.id}/notes`)), /Yours/);
  await assert.rejects(get(east, `/conversations/${chats.moved.id}`));
  assert.match(JSON.stringify(await get(east, `/conversations/${chats.blocked.id}/details`)), /spam/);
  await assert.rejects(send(chats.blocked.visitor, chats.blocked.id, 'Let me in'));
  assert.match(JSON.stringify(await get(east, '/queue/closed')), new RegExp(chats.closed.id));
  await assert.rejects(readAll(chats.erased.visitor, chats.erased.id));
  const queue = JSON.stringify(await get(east, '/queue'));
  for (const state of ['active', 'waiting', 'long'] as const)
    assert.ok(queue.includes(chats[state].id), `the ${state} chat is not in the queue`);
  assert.ok(!queue.includes(chats.erased.id));
}

/** A message each way in an old chat, over sockets. */
export async function messagesFlow({ origin, port }: Place, { chats, east }: Life): Promise<void> {
  const { visitor, id } = chats.active;
  await talk({ handler: east, visitor, conversationId: id }, origin, [port, port]);
}

/** A link that nobody had opened, and a message each way in an old chat. */
export async function goesOn(place: Place, life: Life): Promise<void> {
  await messagesFlow(place, life);
  const newcomer = new Browser(place.origin, place.port);
  await newcomer.call('/auth/anonymous');
  await newcomer.call('/claimInvite', { token: life.unused, csrf: csrf() });
}

/** The pages are not built for this suite, and a second factor is not part of it. */
const NOT_TESTED = ['pages', 'administrator', 'backup'];

export async function isHealthy(installation: Release): Promise<void> {
  const { output } = await installation.try(['doctor', '--offline', '--json']);
  const { findings } = JSON.parse(output.slice(output.indexOf('{'))) as {
    findings: { check: string; level: string; says: string }[];
  };
  const problems = findings.filter(({ check, level }) => level !== 'ok' && !NOT_TESTED.includes(check));
  assert.deepEqual(problems, []);
  await installation.settee(['audit', 'verify']);
}

/** Jobs fold and count these at any time; the dashboard shows their sums. */
const FOLDED = ['figures', 'figures_fresh'];

/** The rows of every table as one digest per table, over the columns that the old release knows. */
type Digest = { columns: string[]; rows: number; digest: string };
type Digests = Record<string, Digest>;

/** With `known`, reads only its tables and columns. */
export async function digestTables(url: string, known?: Digests): Promise<Digests> {
  const digests: Digests = {};
  const tables = known === undefined ? await readColumns(url) : known;
  for (const [table, { columns }] of Object.entries(tables)) {
    const list = columns.map((column) => `t."${column}"`).join(', ');
    const [row = []] = await query(
      url,
      `select count(*)::int, coalesce(encode(sha256(convert_to(string_agg(line, E'\\n' order by line collate "C"), 'UTF8')), 'hex'), '')
       from (select row(${list})::text as line from "${table}" t) lines`,
    );
    digests[table] = { columns, rows: Number(row[0]), digest: String(row[1]) };
  }
  return digests;
}

async function readColumns(url: string): Promise<Digests> {
  const rows = await query(
    url,
    `select c.relname::text, array_agg(a.attname::text order by a.attnum)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by 1`,
  );
  return Object.fromEntries(
    (rows as [string, string[]][])
      .filter(([table]) => EXCLUDED_TABLES[table] === undefined && !FOLDED.includes(table))
      .map(([table, columns]) => [table, { columns, rows: 0, digest: '' }]),
  );
}

/** The tables whose rows differ. */
export function differentTables(before: Digests, after: Digests): string[] {
  return Object.entries(before)
    .filter(([table, { digest }]) => after[table]?.digest !== digest)
    .map(([table, { rows }]) => `${table} (${rows} rows before, ${after[table]?.rows} after)`);
}
