import { randomUUID } from 'node:crypto';
import { isRetryable } from '@settee/protocol/calls/errorCodes';
import type { Down } from '@settee/protocol/frames/down';
import { WebSocket, WebSocketServer } from 'ws';
import { seedConversations, signInHandler, signInVisitor } from '../../bench/src/people.ts';
import { connectNats } from '../../server/src/adapters/nats.ts';
import { fullSize } from '../../tools/fullSize.ts';
import { quantile } from '../proof/quantile.ts';
import { Stalls } from '../proof/stalls.ts';
import { until } from '../proof/until.ts';
import { type LiveSocket, openSocket } from './liveSocket.ts';
import type { Report } from './report.ts';
import { DESKS, type Stage } from './stage.ts';

const CHATS_PER_DESK = 10;
/** Far below what the gateways can do. */
const PER_SECOND = fullSize(50, 100);
const MESSAGES = fullSize(200, 6_000);
/** The small size is written several times: of 200 messages, two that met a busy disk are the p99. */
const ROUNDS = fullSize(3, 1);
const MESSAGES_WITHOUT_NATS = fullSize(150, 3_000);
const HEALTHY_P99_MS = 250;
const WITHOUT_NATS_MS = 5_000;
const ARRIVES_WITHIN_MS = 30_000;
const AGAIN_MS = 200;

export async function receive(stage: Stage, report: Report): Promise<void> {
  const people = await People.arrive(stage);
  const healthy = await people.writeRounds(MESSAGES);
  const bare = await bareTransport(stage.natsUrl);
  report.figure(
    `commit to receipt in health: ${describe(healthy.received)}, ${PER_SECOND} messages a second`,
  );
  report.figure(`send to receipt in health: ${describe(healthy.total)}`);
  report.figure(`NATS and a WebSocket alone: ${describe(bare)}`);
  report.check(
    `[MSG-09] in health, ${MESSAGES} messages reach the other side at another gateway, p99 below ${HEALTHY_P99_MS} ms`,
    problemsOf(healthy),
  );
  await stage.nats.kill();
  // Only visitors: an answer would make the other gateway notice the gap.
  const swept = await people.write(MESSAGES_WITHOUT_NATS, { visitorsOnly: true });
  await stage.nats.start();
  report.figure(`commit to receipt without NATS: ${describe(swept.received)}`);
  report.check(
    `[MSG-09] without NATS, ${MESSAGES_WITHOUT_NATS} messages reach the other side within ${WITHOUT_NATS_MS / 1_000} s`,
    [
      ...swept.problems,
      ...swept.received.filter((ms) => ms > WITHOUT_NATS_MS).map((ms) => `${ms.toFixed(0)} ms`),
    ],
  );
  const back = await people.writeUntilFast();
  report.check('[MSG-09] when NATS is back, messages arrive by hints again', problemsOf(back));
  people.leave();
}

function describe(ms: readonly number[]): string {
  const [p50, p99, slowest] = [quantile(ms, 0.5), quantile(ms, 0.99), Math.max(...ms)];
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms (${ms.length} messages)`;
}

function isFast({ received }: Written): boolean {
  return quantile(received, 0.99) < HEALTHY_P99_MS;
}

/** A slow round is a problem too. */
function problemsOf(written: Written): string[] {
  return [...written.problems, ...(isFast(written) ? [] : [describe(written.received)])];
}

type Side = { name: string; socket: LiveSocket; conversationId: string };
type Written = { received: number[]; total: number[]; problems: string[] };

/** Visitors, and handlers at other gateways than theirs. */
class People {
  readonly #sides: Side[] = [];
  readonly #sentAt = new Map<string, { at: number; by: string; send(): void }>();
  readonly #stalls = new Stalls();
  /** From commit to receipt. */
  #periods: { from: number; to: number }[] = [];
  #written: Written = { received: [], total: [], problems: [] };
  #turn = 0;

  static async arrive(stage: Stage): Promise<People> {
    const people = new People();
    for (const [at, desk] of DESKS.entries()) {
      const claimed = await seedConversations(stage.database, [desk], Array<number>(CHATS_PER_DESK).fill(0));
      const ids = claimed.map(({ conversationId }) => conversationId);
      const [port = 0, other = 0] = [stage.ports[at], stage.ports[(at + 1) % stage.ports.length]];
      const handler = await signInHandler(stage.signing, stage.database, desk, ids);
      const answering = await openSocket(stage, other, handler, people.#listener(desk));
      for (const each of claimed) {
        const { conversationId } = each;
        const visitor = await signInVisitor(stage.signing, each);
        const socket = await openSocket(stage, port, visitor, people.#listener(conversationId));
        people.#sides.push({ name: conversationId, socket, conversationId });
        people.#sides.push({ name: desk, socket: answering, conversationId });
      }
    }
    return people;
  }

  #listener(name: string): Parameters<typeof openSocket>[3] {
    return {
      frame: (frame) => this.#receive(name, frame),
      closed: (code) => this.#written.problems.push(`${name} was closed: ${code}`),
    };
  }

  #receive(name: string, frame: Down): void {
    if (frame.type === 'refused') {
      const refused = this.#sentAt.get(frame.id ?? '');
      // A busy machine may refuse a message for the moment. A page sends it again.
      if (refused !== undefined && isRetryable(frame.code)) setTimeout(() => refused.send(), AGAIN_MS);
      else this.#written.problems.push(`${name} was refused: ${frame.code}`);
    }
    if (frame.type !== 'message') return;
    const { id, createdAt } = frame.message;
    const sent = this.#sentAt.get(id);
    // A sender may get a copy after the ack, if the gateway read a gap from the database.
    if (sent === undefined || sent.by === name) return;
    this.#sentAt.delete(id);
    // The clock of PostgreSQL is read shortly before the commit, so this is a little too long.
    const [now, ms] = [performance.now(), Date.now() - createdAt];
    this.#periods.push({ from: now - ms, to: now });
    this.#written.total.push(performance.now() - sent.at);
  }

  /** Writes so many messages at an even pace, and waits until all have arrived. */
  async write(count: number, { visitorsOnly = false } = {}): Promise<Written> {
    const sides = this.#sides.filter(({ name }) => !visitorsOnly || !DESKS.includes(name));
    this.#written = { received: [], total: [], problems: [] };
    this.#periods = [];
    let left = count;
    const timer = setInterval(() => {
      left -= 1;
      this.#send(sides);
      if (left === 0) clearInterval(timer);
    }, 1_000 / PER_SECOND);
    const lastsMs = (2 * count * 1_000) / PER_SECOND;
    await until(() => left === 0 && this.#sentAt.size === 0, lastsMs + ARRIVES_WITHIN_MS);
    clearInterval(timer);
    if (left + this.#sentAt.size > 0) this.#written.problems.push(`${this.#sentAt.size} did not arrive`);
    this.#sentAt.clear();
    this.#written.received = this.#periods.map(({ from, to }) => this.#stalls.without(from, to));
    return this.#written;
  }

  /** The round with the median p99, and the problems of all rounds. */
  async writeRounds(count: number): Promise<Written> {
    const rounds: Written[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await this.write(count));
    rounds.sort((a, b) => quantile(a.received, 0.99) - quantile(b.received, 0.99));
    const median = rounds[Math.floor(ROUNDS / 2)] as Written;
    return { ...median, problems: rounds.flatMap(({ problems }) => problems) };
  }

  /** Gateways connect to NATS again within a second or two. */
  async writeUntilFast(): Promise<Written> {
    const deadline = performance.now() + ARRIVES_WITHIN_MS;
    for (;;) {
      const written = await this.write(PER_SECOND);
      if (written.problems.length > 0 || isFast(written) || performance.now() > deadline) return written;
    }
  }

  #send(sides: Side[]): void {
    const side = sides[this.#turn++ % sides.length];
    if (side === undefined) return;
    const { name, socket, conversationId } = side;
    const id = randomUUID();
    const send = (): void => socket.send({ type: 'send', conversationId, id, text: 'Hello' });
    this.#sentAt.set(id, { at: performance.now(), by: name, send });
    send();
  }

  leave(): void {
    for (const { socket } of this.#sides) socket.leave();
  }
}

/** A publication over NATS and a frame over a WebSocket, without the product. */
async function bareTransport(natsUrl: string): Promise<number[]> {
  const [from, to] = await Promise.all([connectNats(natsUrl, 'bare'), connectNats(natsUrl, 'bare')]);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await new Promise((done) => client.once('open', done));
  const took: number[] = [];
  client.on('message', (data: Buffer) => took.push(performance.now() - Number(data.toString())));
  to.subscribe('bare', (_subject, payload) => {
    for (const socket of server.clients) socket.send(Buffer.from(payload).toString());
  });
  await to.ready();
  let left = MESSAGES / 4;
  const timer = setInterval(() => {
    left -= 1;
    from.publish('bare', Buffer.from(String(performance.now())));
    if (left <= 0) clearInterval(timer);
  }, 1_000 / PER_SECOND);
  await until(() => left <= 0 && took.length >= MESSAGES / 4, ARRIVES_WITHIN_MS);
  client.terminate();
  server.close();
  await Promise.all([from.close(), to.close()]);
  return took;
}
