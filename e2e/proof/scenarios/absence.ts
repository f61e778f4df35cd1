import { randomUUID } from 'node:crypto';
import { type ErrorCode, isRetryable } from '@settee/protocol/calls/errorCodes';
import { Appender } from '../../../server/testing/installation.ts';
import { memoryOutbox, type Outbox } from '../../../web/src/chat/outbox/outbox.ts';
import type { IdToken } from '../../../web/src/net/live.ts';
import type { Sender } from '../checks/history.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import { type Installation, install, ROOT } from '../topology/installation.ts';
import { signInAgain } from '../world/page.ts';
import { readTable } from '../world/reading.ts';
import { SleepingClock, SleepingPage } from '../world/sleepingPage.ts';
import { until } from '../world/time.ts';
import { type Browser, type Chat, createWorld, type Desk, Refused, signInAt } from '../world/world.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;
const absences: Record<string, number> = {
  '1 second': SECOND_MS,
  '1 minute': 60 * SECOND_MS,
  '1 hour': 3_600 * SECOND_MS,
  '1 day': DAY_MS,
  '30 days': 30 * DAY_MS,
};
/** A handler who does nothing for this long signs in again. */
const SESSION_IDLE_MS = 7 * DAY_MS;
const CHATS = 4;
/** More than a page, so that there are gaps to fill. */
const BEFORE = 60;
const APPENDED_AT_ONCE = 500;

async function prove(place: Installation, run: Run): Promise<Findings> {
  const found: string[] = [];
  for (const [name, ms] of Object.entries(absences)) {
    if (!run.full && ![SECOND_MS, DAY_MS, 30 * DAY_MS].includes(ms)) continue;
    const problems = await beAway(place, run, { name, ms });
    found.push(...problems.map((problem) => `after ${name}: ${problem}`));
  }
  const { heapUsed } = process.memoryUsage();
  const gateways = place.gateways.map((gateway) => gateway.peakMemory());
  run.report.figure(
    `memory of all pages: ${(heapUsed / 2 ** 20).toFixed(0)} MB; of the gateways: ${gateways.join(', ')} MB`,
  );
  return { complete: found, ends: place.unexpectedEnds() };
}

/** Starts the gateways again, with another clock. */
async function restart(place: Installation, aheadMs: number): Promise<void> {
  await stop(place);
  for (const gateway of place.gateways) gateway.change({ aheadMs });
  await Promise.all(place.gateways.map((gateway) => gateway.start()));
}

function stop({ gateways }: Installation): Promise<unknown> {
  return Promise.all(gateways.map((gateway) => gateway.kill()));
}

async function beAway(
  place: Installation,
  run: Run,
  { name, ms }: { name: string; ms: number },
): Promise<string[]> {
  const missed = run.size(150, 5_000);
  // The past: gateways and pages have the time at which the absence begins.
  await restart(place, -ms);
  const where = { ...place, build: ROOT, port: place.ports[0], prefix: `away-${ms}` };
  const [desk] = await createWorld({ ...where, desks: 1, chatsPerDesk: CHATS });
  if (desk === undefined) throw new Error('no desk');
  const writing = await Writing.start(place, desk);
  await writing.write(BEFORE);
  let passwords = 0;
  const people = peopleOf(desk, () => {
    passwords += 1;
  });
  const asleep = people.map((person, at) => openPage(place, person, { behindMs: ms, at, kind: 'asleep' }));
  const closed = people.map((person, at) => openPage(place, person, { behindMs: ms, at, kind: 'reopened' }));
  const problems: string[] = [];
  const wait = async (pages: SleepingPage[], what: string): Promise<void> => {
    if (await until(() => pages.every((page) => page.isCaughtUp()))) return;
    const late = pages.filter((page) => !page.isCaughtUp());
    problems.push(...late.map((page) => `${page.name} ${what}: ${page.describe()}`));
  };
  await wait([...asleep, ...closed], 'did not load');

  await stop(place);
  // Written when the connection was gone already.
  for (const page of [...asleep, ...closed]) page.write();
  await until(() => [...asleep, ...closed].every((page) => page.live.status() !== 'open'));
  for (const page of asleep) page.sleep();
  for (const page of closed) page.close();
  await age(place, ms);
  await writing.write(missed);

  await restart(place, 0);
  const began = performance.now();
  for (const page of asleep) page.wake();
  await wait(asleep, 'did not come back');
  const wokeMs = performance.now() - began;
  const reopening = performance.now();
  const reopened = people.map((person, at) => openPage(place, person, { behindMs: 0, at, kind: 'reopened' }));
  await wait(reopened, 'did not open again');
  const openMs = performance.now() - reopening;
  // What the reopened pages sent.
  const heads = await readHeads(place, desk);
  const all = [...asleep, ...reopened];
  if (!(await until(() => all.every((page) => page.hasUpTo(heads)))))
    problems.push(
      ...all
        .filter((page) => !page.hasUpTo(heads))
        .map((page) => `${page.name} did not get the last messages: ${page.describe()}`),
    );
  for (const page of [...asleep, ...reopened]) await page.readBack();
  const isSessionOver = ms > SESSION_IDLE_MS;
  if (passwords > 0 !== isSessionOver) problems.push(`the console asked for the password ${passwords} times`);
  problems.push(...(await differences(place, [...asleep, ...reopened])));
  run.report.figure(
    `away for ${name}: ${missed * CHATS} missed messages; pages kept open were complete after ${seconds(wokeMs)}, pages opened again after ${seconds(openMs)}, and read from the first message after ${seconds(performance.now() - reopening)}`,
  );
  for (const page of [...asleep, ...reopened]) page.close();
  await writing.end();
  return problems;
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
  place: Installation,
  { name, sender, ids, outboxes, signIn }: Person,
  { behindMs, at, kind }: { behindMs: number; at: number; kind: Kind },
): SleepingPage {
  return new SleepingPage({
    name: `${name} (${kind})`,
    sender,
    conversationIds: ids,
    port: place.ports[at % place.ports.length] ?? 0,
    origin: place.origin,
    clock: new SleepingClock(behindMs),
    outbox: outboxes[kind],
    signIn: () => signIn() as Promise<IdToken>,
    isCutOff: at % 2 === 1,
  });
}

/** Everything stored so far becomes so much older, except the times of messages, which pages show. */
async function age({ database }: Installation, ms: number): Promise<void> {
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

  static async start({ database }: Installation, { alias, chats }: Desk): Promise<Writing> {
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
async function readHeads({ database }: Installation, { chats }: Desk): Promise<Map<string, number>> {
  const rows = await database.run<{ id: string; head: number }>(
    'select id, last_seq as head from conversations where id = any ($1)',
    [chats.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, head }) => [id, head]));
}

async function differences({ database }: Installation, pages: SleepingPage[]): Promise<string[]> {
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

export const scenario: Scenario<Installation> = {
  what: 'people come back after any absence',
  topology: ({ instance }) => install({ instance, gateways: 3 }),
  prove,
  checks: {
    complete:
      '[MSG-10] after 1 second to 30 days, pages kept open and pages opened again show every message, and send what waited',
    ends: 'no gateway ends unexpectedly',
  },
};
