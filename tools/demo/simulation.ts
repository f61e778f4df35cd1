// Simulated people, who use the demo over HTTP and WebSocket.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueRow } from '@settee/protocol/model/conversation';
import pg from 'pg';
import { Browser } from '../../e2e/proof/world/world.ts';
import { LiveClient } from '../../server/test/support/client.ts';
import { seededRandom } from '../../server/test/support/seededRandom.ts';
import type { Random } from '../../server/testing/rules.ts';
import { content, DEMO_PASSWORD, pick, script } from './content.ts';

const SEED = 7;
/** Visitors who come at once. The others follow, one per minute. */
const AT_ONCE = 4;
const ACK_MS = 30_000;
const ANSWER_MS = 45_000;
/** A person who tries the demo may want to answer first. */
const PATIENCE_MS = { simulated: 5_000, other: 25_000 };
/** An ID token is valid for an hour. */
const RECONNECT_MS = 20 * 60_000;

const { exchanges, farewells, greetings, openings, scriptReplies, simulatedVisitors } = content;
const answers = new Map<string, string>([...exchanges, ...farewells]);

export type Simulation = {
  /** Returns how many messages the server acknowledged, and how many of them are stored. */
  stop(): Promise<{ acknowledged: number; stored: number }>;
};

export async function startSimulation(
  url: string,
  databaseUrl: string,
  links: readonly string[],
): Promise<Simulation> {
  const stopping = new AbortController();
  const acknowledged: string[] = [];
  const world = (seed: number): World => new World(url, stopping.signal, acknowledged, seededRandom(seed));
  const started = Promise.withResolvers<void>();
  const running = [simulateHandler(world(SEED), started.resolve)];
  await started.promise;
  for (const [index, name] of simulatedVisitors.entries()) {
    const delay = index < AT_ONCE ? index : 60 * (index - AT_ONCE + 1);
    running.push(simulateVisitor(world(SEED + index + 1), links[index] ?? '', name, delay));
  }
  return {
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
      return { acknowledged: acknowledged.length, stored: await countStored(databaseUrl, acknowledged) };
    },
  };
}

class World {
  readonly url: string;
  readonly random: Random;
  readonly browser: Browser;
  readonly #stopping: AbortSignal;
  readonly #acknowledged: string[];

  constructor(url: string, stopping: AbortSignal, acknowledged: string[], random: Random) {
    this.url = url;
    this.random = random;
    this.browser = new Browser(url, Number(new URL(url).port));
    this.#stopping = stopping;
    this.#acknowledged = acknowledged;
  }

  get isOver(): boolean {
    return this.#stopping.aborted;
  }

  /** Waits between `from` and `to` seconds, or until the demo ends. */
  async pause(from: number, to: number): Promise<void> {
    const ms = from * 1_000 + this.random.below(Math.max(1, (to - from) * 1_000));
    await sleep(ms, undefined, { signal: this.#stopping }).catch(() => {});
  }

  connect(): Promise<LiveClient> {
    return LiveClient.open(this.url, this.url, this.browser.token);
  }

  /** Returns whether the server stored the message. */
  async send(socket: LiveClient, conversationId: string, text: string, after?: number): Promise<boolean> {
    const id = randomUUID();
    socket.send({ type: 'send', conversationId, id, text, ...(after !== undefined && { after }) });
    const answered = () =>
      socket.received.find((frame) => (frame.type === 'ack' || frame.type === 'refused') && frame.id === id);
    await socket.until(() => answered() !== undefined || socket.closed !== undefined, 'no ack', ACK_MS);
    if (answered()?.type !== 'ack') return false;
    this.#acknowledged.push(id);
    return true;
  }
}

/** A visitor comes, types, writes, reads the answer, leaves and comes back. */
async function simulateVisitor(world: World, link: string, name: string, delay: number): Promise<void> {
  await world.pause(delay, delay + 1);
  if (world.isOver) return;
  const { browser, random } = world;
  const token = link.slice(link.lastIndexOf('/') + 1);
  await browser.call('/auth/anonymous');
  await browser.call('/seeInvite', { token });
  const claimed = await browser.call('/claimInvite', { token, csrf: String(Date.now()) });
  const conversationId = String(claimed.conversationId);
  // The claim replaced the secret in the cookie, so the visit needs a new token.
  await browser.call('/auth/anonymous');
  await browser.call(`/conversations/${conversationId}/visitorName`, { visitorName: name }, 'PUT');
  let topic = random.below(exchanges.length);
  for (let visits = 0; !world.isOver; visits += 1) {
    const questions = visits === 0 ? [pick(random, openings)] : [];
    for (let left = 1 + random.below(3); left > 0; left -= 1) {
      topic = (topic + 1) % exchanges.length;
      questions.push(exchanges[topic]?.[0] ?? '');
    }
    if (random.below(4) === 0) questions.push(pick(random, farewells)[0]);
    await visit(world, conversationId, questions).catch(() => {});
    await world.pause(15, 50);
  }
}

async function visit(world: World, conversationId: string, questions: string[]): Promise<void> {
  await world.browser.call('/auth/anonymous');
  const socket = await world.connect();
  try {
    socket.send({ type: 'watch', conversationId });
    for (const text of questions) {
      for (let typed = 0; typed < text.length && !world.isOver; typed += 12) {
        socket.send({ type: 'typing', conversationId });
        await world.pause(0.8, 2);
      }
      if (world.isOver) return;
      socket.received.length = 0;
      await world.send(socket, conversationId, text);
      const answer = () =>
        socket.received.find((frame) => frame.type === 'message' && frame.message.sender === 'owner');
      await socket
        .until(() => answer() !== undefined || world.isOver, 'no answer', ANSWER_MS)
        .catch(() => {});
      const frame = answer();
      await world.pause(2, 9);
      if (frame?.type === 'message') socket.send({ type: 'seen', conversationId, seq: frame.message.seq });
    }
  } finally {
    socket.close();
  }
}

/** Answers simulated visitors, and after a while also people who try the demo. */
async function simulateHandler(world: World, started: () => void): Promise<void> {
  const rows = new Map<string, QueueRow>();
  /** Conversations that were waiting before the demo began. They are left to the people who watch. */
  const ignored = new Set<string>();
  const replies = new Map<string, number>();

  const readFrames = (socket: LiveClient): void => {
    for (const frame of socket.received.splice(0)) {
      if (frame.type === 'queue') {
        rows.clear();
        if (ignored.size === 0) for (const { conversationId } of frame.rows) ignored.add(conversationId);
        started();
      }
      if (frame.type !== 'queue' && frame.type !== 'queueChange') continue;
      for (const row of frame.rows) rows.set(row.conversationId, row);
      if (frame.type === 'queueChange') for (const id of frame.gone) rows.delete(id);
    }
  };
  const nextRow = (): QueueRow | undefined =>
    [...rows.values()]
      .filter(({ conversationId, waitingSince, visitorName }) => {
        if (waitingSince === null || ignored.has(conversationId)) return false;
        const patience = simulatedVisitors.includes(visitorName) ? PATIENCE_MS.simulated : PATIENCE_MS.other;
        return Date.now() - waitingSince >= patience;
      })
      .toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0))[0];
  const replyTo = ({ conversationId, visitorName, lastMessage }: QueueRow): string | undefined => {
    if (simulatedVisitors.includes(visitorName))
      return (
        answers.get(lastMessage) ??
        (openings.includes(lastMessage) ? pick(world.random, greetings) : undefined)
      );
    const count = replies.get(conversationId) ?? 0;
    replies.set(conversationId, count + 1);
    return scriptReplies[count];
  };

  const answer = async (socket: LiveClient, row: QueueRow): Promise<void> => {
    const { conversationId, head } = row;
    const text = replyTo(row);
    if (text === undefined) {
      ignored.add(conversationId);
      return;
    }
    socket.send({ type: 'watch', conversationId });
    socket.send({ type: 'seen', conversationId, seq: head });
    socket.send({ type: 'attend', conversationId, doing: 'viewing' });
    await world.pause(1, 3);
    for (let typed = 0; typed < Math.min(text.length, 90); typed += 30) {
      socket.send({ type: 'typing', conversationId });
      socket.send({ type: 'attend', conversationId, doing: 'replying' });
      await world.pause(1, 2);
    }
    readFrames(socket);
    const stillWaits = (rows.get(conversationId)?.waitingSince ?? null) !== null;
    // Refused if another handler has answered.
    const sent = stillWaits && !world.isOver && (await world.send(socket, conversationId, text, head));
    socket.send({ type: 'attend', conversationId, doing: 'left' });
    socket.send({ type: 'unwatch', conversationId });
    if (sent && farewells.some(([farewell]) => farewell === row.lastMessage)) {
      await world.pause(2, 5);
      const path = `/conversations/${conversationId}/status`;
      await world.browser.call(path, { status: 'closed' }, 'PUT').catch(() => {});
    }
  };

  while (!world.isOver) {
    try {
      await world.browser.call('/auth/staff/sign-in', { email: script.email, password: DEMO_PASSWORD });
      const socket = await world.connect();
      socket.send({ type: 'watchQueue' });
      const until = Date.now() + RECONNECT_MS;
      while (!world.isOver && socket.closed === undefined && Date.now() < until) {
        readFrames(socket);
        const row = nextRow();
        if (row === undefined) await world.pause(0.5, 1);
        else await answer(socket, row);
      }
      socket.close();
    } catch {
      await world.pause(1, 3);
    }
  }
}

async function countStored(databaseUrl: string, ids: readonly string[]): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ stored: number }>(
    'select count(distinct id)::int as stored from messages where id = any ($1)',
    [ids],
  );
  await client.end();
  return rows[0]?.stored ?? 0;
}
