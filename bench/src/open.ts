import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import { freePort } from '../../tools/freePorts.ts';
import { store } from './bulk.ts';
import { type BenchGateway, startGateway } from './gateway.ts';
import { openSocket } from './hello.ts';
import { type Claimed, type SignedIn, seedDesks, signInVisitor } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const SMALL = 10_000;
const DESKS = 100;
const TYPICAL_MIN = 100;
const TYPICAL_MAX = 1_000;
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

/** Reads the same page with few and with many messages in the table. */
export async function measureOpen(
  engines: Engines,
  options: { big: number; opened: number },
): Promise<OpenResult> {
  const database = await engines.createDatabase();
  const port = await freePort();
  const gateway = await startGateway({ databaseUrl: database.url, natsUrl: engines.natsUrl, port });
  try {
    const desks = await seedDesks(database, DESKS);
    const few = await store(database, desks, Array<number>(SMALL / MESSAGE_PAGE).fill(MESSAGE_PAGE));
    const withSmall = await measure(gateway, pick(few, options.opened));
    const startedAt = performance.now();
    const many = await store(database, desks, [...typical(options.big - SMALL), longestOf(options.big)]);
    const loadSeconds = (performance.now() - startedAt) / 1_000;
    const withBig = await measure(gateway, pick(many, options.opened));
    const longest = await measure(
      gateway,
      Array<Claimed>(options.opened / 5).fill(await find(database, many)),
    );
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
  } finally {
    await gateway.stop();
    await database.drop();
  }
}

function longestOf(big: number): number {
  return Math.min(LONGEST, big / 5);
}

/** Lengths of typical conversations that, with the longest one, add up to this many messages. */
function typical(messages: number): number[] {
  const lengths: number[] = [];
  let left = messages - longestOf(messages);
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

async function find(database: BenchDatabase, claimed: Claimed[]): Promise<Claimed> {
  const [row] = await database.run<{ id: string }>(
    'select id from conversations order by last_seq desc limit 1',
  );
  const found = claimed.find(({ conversationId }) => conversationId === row?.id);
  if (found === undefined) throw new Error('the longest conversation is not among those stored');
  return found;
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
    let startedAt = performance.now();
    const watched = await wire.ask({ type: 'watch', conversationId }, 'watched');
    times.socket.push(performance.now() - startedAt);
    expectPage((JSON.parse(watched.toString()) as { messages: unknown[] }).messages);
    wire.close();

    startedAt = performance.now();
    const response = await fetch(`${gateway.origin}/conversations/${conversationId}/messages`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = await response.text();
    times.http.push(performance.now() - startedAt);
    expectPage((JSON.parse(body) as { messages: unknown[] }).messages);
  }
  return times;
}

function expectPage(messages: unknown[]): void {
  if (messages.length !== MESSAGE_PAGE) throw new Error(`a page of ${messages.length}, not ${MESSAGE_PAGE}`);
}
