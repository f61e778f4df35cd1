import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import { store } from './bulk.ts';
import { openSocket } from './chat.ts';
import { type BenchGateway, timedGet, withGateway } from './gateway.ts';
import { type Claimed, type SignedIn, seedDesks, signInVisitor } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const SMALL = 10_000;
const DESKS = 100;
const TYPICAL_MIN = 100;
const TYPICAL_MAX = 1_000;
/** At most a fifth of all messages. */
const LONGEST = 100_000;

/** Milliseconds to open a conversation over the socket, and to read the newest page over HTTP. */
export type Opening = { socket: Spread; http: Spread };
export type OpenResult = {
  /** Messages in the table. */
  small: number;
  big: number;
  opened: number;
  withSmall: Opening;
  withBig: Opening;
  longest: Opening;
  loadSeconds: number;
  ratio: { socket: number; http: number };
};

type OpenOptions = { big: number; opened: number };

/** Reads the same page with few and with many messages in the table. */
export function measureOpen(engines: Engines, options: OpenOptions): Promise<OpenResult> {
  return engines.withDatabase((database) =>
    withGateway({ engines, database }, (gateway) => measureIn(database, gateway, options)),
  );
}

async function measureIn(
  database: BenchDatabase,
  gateway: BenchGateway,
  options: OpenOptions,
): Promise<OpenResult> {
  const desks = await seedDesks(database, DESKS);
  const few = await store(database, desks, Array<number>(SMALL / MESSAGE_PAGE).fill(MESSAGE_PAGE));
  const withSmall = await measure(gateway, pick(few, options.opened));
  const startedAt = performance.now();
  const length = Math.min(LONGEST, options.big / 5);
  const many = await store(database, desks, typical(options.big - SMALL - length));
  const [long] = await store(database, desks, [length]);
  const loadSeconds = (performance.now() - startedAt) / 1_000;
  const withBig = await measure(gateway, pick(many, options.opened));
  const longest = await measure(gateway, Array<Claimed>(options.opened / 5).fill(long as Claimed));
  return {
    small: SMALL,
    big: await count(database),
    opened: options.opened,
    withSmall,
    withBig,
    longest,
    loadSeconds,
    ratio: {
      socket: withBig.socket.p50 / withSmall.socket.p50,
      http: withBig.http.p50 / withSmall.http.p50,
    },
  };
}

/** Lengths of typical conversations that add up to at least this many messages. */
function typical(messages: number): number[] {
  const lengths: number[] = [];
  let left = messages;
  while (left > 0) {
    const length = TYPICAL_MIN + Math.floor(Math.random() * (TYPICAL_MAX - TYPICAL_MIN));
    lengths.push(length);
    left -= length;
  }
  return lengths;
}

function pick(claimed: Claimed[], count: number): Claimed[] {
  return Array.from({ length: count }, () => claimed[Math.floor(Math.random() * claimed.length)] as Claimed);
}

async function count(database: BenchDatabase): Promise<number> {
  const [row] = await database.run<{ count: string }>('select sum(last_seq) as count from conversations');
  return Number(row?.count);
}

/** One run to warm up and one to measure, with the same conversations. */
async function measure(gateway: BenchGateway, claimed: Claimed[]): Promise<Opening> {
  const users = await Promise.all(claimed.map((each) => signInVisitor(gateway.port, each)));
  let opening = await openAll(gateway, users);
  opening = await openAll(gateway, users);
  return { socket: spread(opening.socket), http: spread(opening.http) };
}

async function openAll(
  gateway: BenchGateway,
  users: SignedIn[],
): Promise<{ socket: number[]; http: number[] }> {
  const times = { socket: [] as number[], http: [] as number[] };
  for (const { token, conversationIds } of users) {
    const [conversationId] = conversationIds;
    const wire = await openSocket(gateway.port, gateway.origin, token);
    const startedAt = performance.now();
    const watched = await wire.ask({ type: 'watch', conversationId }, 'watched');
    times.socket.push(performance.now() - startedAt);
    expectPage((JSON.parse(watched.toString()) as { messages: unknown[] }).messages);
    wire.close();

    const path = `/conversations/${conversationId}/messages`;
    const { ms, body } = await timedGet<{ messages: unknown[] }>(gateway, token, path);
    times.http.push(ms);
    expectPage(body.messages);
  }
  return times;
}

function expectPage(messages: unknown[]): void {
  if (messages.length !== MESSAGE_PAGE) throw new Error(`a page of ${messages.length}, not ${MESSAGE_PAGE}`);
}
