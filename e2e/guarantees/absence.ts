import { randomUUID } from 'node:crypto';
import { type ErrorCode, isRetryable } from '@settee/protocol/calls/errorCodes';
import { Appender } from '../../server/src/db/message/appender.ts';
import { fullSize } from '../../tools/fullSize.ts';
import { memoryOutbox, type Outbox } from '../../web/src/chat/outbox/outbox.ts';
import type { IdToken } from '../../web/src/net/live.ts';
import type { Sender } from '../proof/history.ts';
import { signInAgain } from '../proof/page.ts';
import { readTable } from '../proof/reading.ts';
import { until } from '../proof/until.ts';
import { type Browser, type Chat, createWorld, type Desk, Refused, signInAt } from '../proof/world.ts';
import { Page } from './page.ts';
import type { Report } from './report.ts';
import { SleepingClock } from './sleepingClock.ts';
import { STAGE_BUILD, type Stage } from './stage.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;
const absences: Record<string, number> = {
  '1 second': SECOND_MS,
  ...fullSize({}, { '1 minute': 60 * SECOND_MS, '1 hour': 3_600 * SECOND_MS }),
  '1 day': DAY_MS,
  '30 days': 30 * DAY_MS,
};
/** A handler who does nothing for this long signs in again. */
const SESSION_IDLE_MS = 7 * DAY_MS;
const CHATS = 4;
/** More than a page, so that there are gaps to fill. */
const BEFORE = 60;
const MISSED = fullSize(150, 5_000);
const BACK_WITHIN_MS = fullSize(60_000, 180_000);
const APPENDED_AT_ONCE = 500;

export async function comeBack(stage: Stage, report: Report): Promise<void> {
  for (const [name, ms] of Object.entries(absences)) await beAway(stage, report, { name, ms });
  const { heapUsed, rss } = process.memoryUsage();
  report.figure(
    `memory of the process with all pages: ${(heapUsed / 2 ** 20).toFixed(0)} MB heap, ${(rss / 2 ** 20).toFixed(0)} MB in total; gateways ${stage.peakMemory().join(', ')} MB`,
  );
}

async function beAway(
  stage: Stage,
  report: Report,
  { name, ms }: { name: string; ms: number },
): Promise<void> {
  // The past: gateways and pages have the time at which the absence begins.
  await stage.restart(-ms);
  const [desk] = await createWorld({
    build: STAGE_BUILD,
    env: stage.env,
    port: stage.ports[0],
    desks: 1,
    chatsPerDesk: CHATS,
    prefix: `away-${ms}`,
  });
  if (desk === undefined) throw new Error('no desk');
  const writing = await Writing.start(stage, desk);
  await writing.write(BEFORE);
  let passwords = 0;
  const people = peopleOf(desk, () => {
    passwords += 1;
  });
  const asleep = people.map((person, at) => openPage(stage, person, { behindMs: ms, at, kind: 'asleep' }));
  const closed = people.map((person, at) => openPage(stage, person, { behindMs: ms, at, kind: 'reopened' }));
  const problems: string[] = [];
  const wait = async (pages: Page[], what: string): Promise<void> => {
    if (await until(() => pages.every((page) => page.isCaughtUp()), BACK_WITHIN_MS)) return;
    const late = pages.filter((page) => !page.isCaughtUp());
    problems.push(...late.map((page) => `${page.name} ${what}: ${page.describe()}`));
  };
  await wait([...asleep, ...closed], 'did not load');

  await stage.stopGateways();
  // Written when the connection was gone already.
  for (const page of [...asleep, ...closed]) page.write();
  await until(() => [...asleep, ...closed].every((page) => page.live.status() !== 'open'), BACK_WITHIN_MS);
  for (const page of asleep) page.sleep();
  for (const page of closed) page.close();
  await age(stage, ms);
  await writing.write(MISSED);

  await stage.restart(0);
  const began = performance.now();
  for (const page of asleep) page.wake();
  await wait(asleep, 'did not come back');
  const wokeMs = performance.now() - began;
  const reopening = performance.now();
  const reopened = people.map((person, at) => openPage(stage, person, { behindMs: 0, at, kind: 'reopened' }));
  await wait(reopened, 'did not open again');
  const openMs = performance.now() - reopening;
  // What the reopened pages sent.
  const heads = await readHeads(stage, desk);
  const all = [...asleep, ...reopened];
  if (!(await until(() => all.every((page) => page.hasUpTo(heads)), BACK_WITHIN_MS)))
    problems.push(
      ...all
        .filter((page) => !page.hasUpTo(heads))
        .map((page) => `${page.name} did not get the last messages: ${page.describe()}`),
    );
  for (const page of [...asleep, ...reopened]) await page.readBack();
  const isSessionOver = ms > SESSION_IDLE_MS;
  if (passwords > 0 !== isSessionOver) problems.push(`the console asked for the password ${passwords} times`);
  problems.push(...(await differences(stage, [...asleep, ...reopened])));
  report.figure(
    `away for ${name}: ${MISSED * CHATS} missed messages; pages kept open were complete after ${seconds(wokeMs)}, pages opened again after ${seconds(openMs)}, and read from the first message after ${seconds(performance.now() - reopening)}`,
  );
  report.check(
    `[MSG-10] after ${name}, ${asleep.length} pages kept open and ${reopened.length} opened again show every message, and send what waited`,
    problems,
  );
  for (const page of [...asleep, ...reopened]) page.close();
  await writing.end();
}

function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}

type Person = {
  name: string;
  sender: Sender;
  ids: string[];
  outboxes: Record<Kind, Outbox>;
  signIn: () => Promise<object>;
};
type Kind = 'asleep' | 'reopened';

function peopleOf({ alias, handler, chats }: Desk, onPassword: () => void): Person[] {
  const outboxes = () => ({ asleep: memoryOutbox(), reopened: memoryOutbox() });
  const visitor = ({ id }: Chat, browser: Browser, name: string): Person => ({
    name,
    sender: 'visitor',
    ids: [id],
    outboxes: outboxes(),
    signIn: () => signInAgain(browser, 'visitor'),
  });
  return [
    {
      name: 'console',
      sender: 'owner',
      ids: chats.map(({ id }) => id),
      outboxes: outboxes(),
      signIn: () =>
        signInAgain(handler, 'owner').catch((error: unknown) => {
          // Without an answer, the page tries again.
          if (!(error instanceof Refused) || isRetryable(error.code as ErrorCode)) throw error;
          onPassword();
          return signInAt(alias, handler);
        }),
    },
    ...chats.flatMap((chat, at) => [
      visitor(chat, chat.first, `visitor ${at}`),
      visitor(chat, chat.second, `second device of visitor ${at}`),
    ]),
  ];
}

function openPage(
  stage: Stage,
  { name, sender, ids, outboxes, signIn }: Person,
  { behindMs, at, kind }: { behindMs: number; at: number; kind: Kind },
): Page {
  return new Page({
    name: `${name} (${kind})`,
    sender,
    conversationIds: ids,
    port: stage.ports[at % stage.ports.length] ?? 0,
    origin: stage.origin,
    clock: new SleepingClock(behindMs),
    outbox: outboxes[kind],
    signIn: () => signIn() as Promise<IdToken>,
    isCutOff: at % 2 === 1,
  });
}

/** Everything stored so far becomes so much older, except the times of messages, which pages show. */
async function age({ database }: Stage, ms: number): Promise<void> {
  const columns = await database.run<{ table: string; sets: string }>(
    `select table_name as table, string_agg(format('%1$I = %1$I - make_interval(secs => ${ms / SECOND_MS})', column_name), ', ') as sets
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'messages%'
       and data_type = 'timestamp with time zone' and is_generated = 'NEVER'
     group by table_name`,
  );
  for (const { table, sets } of columns)
    await database.run(
      `begin; set local session_replication_role = replica; update ${table} set ${sets}; commit`,
    );
}

type WrittenChat = { id: string; visitorId: string; staffId: string; alias: string };

/** Both sides write in every chat, with no gateway: straight through the product's appender. */
class Writing {
  readonly #appender: Appender;
  readonly #chats: WrittenChat[];
  #count = 0;

  private constructor(appender: Appender, chats: WrittenChat[]) {
    this.#appender = appender;
    this.#chats = chats;
  }

  static async start({ database }: Stage, { alias, chats }: Desk): Promise<Writing> {
    const rows = await database.run<WrittenChat>(
      `select c.id, c.visitor_id as "visitorId", s.id as "staffId", $2 as alias
       from conversations c, staff s where c.id = any ($1) and s.alias = $2`,
      [chats.map(({ id }) => id), alias],
    );
    return new Writing(new Appender(database.url, 2), rows);
  }

  async write(perChat: number): Promise<void> {
    const drafts = Array.from({ length: perChat }, () => this.#chats).flat();
    for (let start = 0; start < drafts.length; start += APPENDED_AT_ONCE) {
      const part = drafts.slice(start, start + APPENDED_AT_ONCE);
      await Promise.all(part.map((chat) => this.#append(chat)));
    }
  }

  async #append({ id, visitorId, staffId, alias }: WrittenChat): Promise<void> {
    this.#count += 1;
    const fromOwner = this.#count % 3 === 0;
    const { outcome } = await this.#appender.append({
      conversationId: id,
      id: randomUUID(),
      text: `Message ${this.#count}`,
      authorId: fromOwner ? staffId : visitorId,
      fromOwner,
      alias: fromOwner ? alias : null,
      after: null,
      mediaId: null,
    });
    if (outcome !== 'stored') throw new Error(`a message was not stored: ${outcome}`);
  }

  end(): Promise<void> {
    return this.#appender.close();
  }
}

/** The number of the newest message of each chat. */
async function readHeads({ database }: Stage, { chats }: Desk): Promise<Map<string, number>> {
  const rows = await database.run<{ id: string; head: number }>(
    'select id, last_seq as head from conversations where id = any ($1)',
    [chats.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, head }) => [id, head]));
}

async function differences({ database }: Stage, pages: Page[]): Promise<string[]> {
  const found: string[] = [];
  for (const page of pages) {
    for (const conversation of page.conversations) {
      const [stored, shown] = [
        await readTable(database.url, conversation.state().id),
        page.read(conversation),
      ];
      if (JSON.stringify(stored) === JSON.stringify(shown)) continue;
      const at = stored.findIndex(
        (message, index) => JSON.stringify(message) !== JSON.stringify(shown[index]),
      );
      found.push(
        `${page.name} shows ${shown.length} of ${stored.length}; ${at}: ${JSON.stringify(shown[at])} instead of ${JSON.stringify(stored[at])}`,
      );
    }
  }
  return found;
}
