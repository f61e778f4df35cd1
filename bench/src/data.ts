import { QUEUE_PAGE } from '@settee/protocol/model/queue';
import { SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { COMMON, type DataSize, LARGEST_DESK, seedData, UNCOMMON } from './dataSeed.ts';
import { timedGet, withGateway } from './gateway.ts';
import { signInAdministrator, signInHandler } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

export type DataOptions = Omit<DataSize, 'conversations'> & {
  /** Conversations at the first and at the second measurement. */
  small: number;
  big: number;
  /** How often each call is measured. */
  times: number;
};

/** Milliseconds from request to answer, and the number of incomplete or wrong answers. */
type Measured = Spread & { wrong: number };
export type DataTimes = { what: string; small: Measured; big: Measured };
export type DataResult = { small: number; big: number; loadSeconds: number; calls: DataTimes[] };

/** A measured call, by a handler of the largest desk or by an administrator. */
type DataCall = {
  what: string;
  as: 'handler' | 'administrator';
  path: (n: number) => string;
  /** Whether the answer is the expected one. */
  check: (body: Answer) => boolean;
};

type Answer = Partial<Record<'rows' | 'entries' | 'messages' | 'conversations', unknown[]>> & {
  complete?: boolean;
};

/** Measures calls through the real gateway with little history and with much, in one database that grows. */
export function measureData(engines: Engines, options: DataOptions): Promise<DataResult> {
  return engines.withDatabase(async (database) => {
    let loadSeconds = 0;
    const load = async (conversations: number): Promise<void> => {
      const startedAt = performance.now();
      await seedData(database, { ...options, conversations });
      loadSeconds += (performance.now() - startedAt) / 1_000;
    };
    await load(options.small);
    const small = await measureCalls(engines, database, options.times);
    await load(options.big);
    const big = await measureCalls(engines, database, options.times);
    const calls = CALLS.map(({ what }, n) => ({
      what,
      small: small[n] as Measured,
      big: big[n] as Measured,
    }));
    return { small: options.small, big: options.big, loadSeconds, calls };
  });
}

function measureCalls(engines: Engines, database: BenchDatabase, times: number): Promise<Measured[]> {
  return withGateway({ engines, database }, async (gateway) => {
    const tokens = {
      handler: (await signInHandler(gateway.port, database, LARGEST_DESK, [])).token,
      administrator: await signInAdministrator(gateway.port, database),
    };
    const measured: Measured[] = [];
    for (const { as, path, check } of CALLS) {
      const answers: { ms: number; right: boolean }[] = [];
      for (let n = 0; n <= times; n += 1) {
        const { ms, body } = await timedGet<Answer>(gateway, tokens[as], path(n));
        answers.push({ ms, right: check(body) });
      }
      // The first call warms the caches.
      const counted = answers.slice(1);
      measured.push({
        ...spread(counted.map(({ ms }) => ms)),
        wrong: counted.filter(({ right }) => !right).length,
      });
    }
    return measured;
  });
}

type Hits = Partial<{ messages: number; conversations: number }>;

function search(what: string, words: (n: number) => string, hits: Hits, of = '/search'): DataCall {
  return {
    what: `search, ${what}`,
    as: what.startsWith('large desk') ? 'handler' : 'administrator',
    path: (n) => `${of}?q=${encodeURIComponent(words(n))}`,
    check: ({ complete = false, messages, conversations }) =>
      complete &&
      (hits.messages ?? messages?.length) === messages?.length &&
      (hits.conversations ?? conversations?.length) === conversations?.length,
  };
}

const PAGE = 50;

function list(what: string, path: string | ((n: number) => string), rows = PAGE): DataCall {
  return {
    what,
    as: 'administrator',
    path: (n) => (typeof path === 'string' ? path : path(n)),
    check: (body) => (body.rows ?? body.entries)?.length === rows,
  };
}

const nothing = (n: number): string => `nowhere${n}`;
const everyLabel = (): string => 'campaign';
const common = (): string => COMMON;
const uncommon = (): string => UNCOMMON;
const FULL = SEARCH_HITS_MAX;

const CALLS: readonly DataCall[] = [
  search('large desk: no hit', nothing, { messages: 0, conversations: 0 }),
  search('large desk: one name', (n) => `visitor${1 + n}`, { messages: 0 }),
  search('large desk: word of every label', everyLabel, { conversations: FULL }),
  search('large desk: common word', common, { messages: FULL }),
  search('large desk: uncommon word', uncommon, { messages: FULL }),
  search('all desks: no hit', nothing, { messages: 0, conversations: 0 }),
  search('all desks: word of every label', everyLabel, { conversations: FULL }),
  search('all desks: common word', common, { messages: FULL }),
  search('all desks: uncommon word', uncommon, { messages: FULL }),
  search('messages: no hit', nothing, { messages: 0 }, '/manage/messages'),
  search('messages: common word', common, { messages: FULL }, '/manage/messages'),
  { ...list('queue of the large desk', `/queue?limit=${QUEUE_PAGE}`, QUEUE_PAGE), as: 'handler' },
  list('conversations', '/manage/conversations'),
  list('conversations, closed', '/manage/conversations?show=closed'),
  list('conversations, every name', '/manage/conversations?q=ada'),
  list('conversations, every label', '/manage/conversations?q=campaign'),
  list('conversations, one desk and every name', '/manage/conversations?q=ada&alias=desk-0'),
  list('conversations, no hit', (n) => `/manage/conversations?q=nowhere${n}`, 0),
  list('invites with counts', '/manage/invites'),
  list('invites with counts, one desk', '/manage/invites?alias=desk-0'),
  list('invites with counts, expired', '/manage/invites?state=EXPIRED'),
  list('invites with counts, every label', '/manage/invites?search=campaign'),
  list('invites with counts, no hit', (n) => `/manage/invites?search=nowhere${n}`, 0),
  list('audit log', '/manage/audit'),
  list('audit log, one action', '/manage/audit?action=note.add'),
  list('audit log, common text', '/manage/audit?q=desk-'),
  list('audit log, no hit, one step', (n) => `/manage/audit?q=nowhere${n}`, 0),
];
