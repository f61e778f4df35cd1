import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import { isRetryable } from '@settee/protocol/model/errorCodes';
import { seedConversations, signInHandler, signInVisitor } from '../../../bench/src/people.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import { DESKS, type FailingOver, startFailingOver } from '../topology/failingOver.ts';
import { type LiveSocket, mustOpenSocket } from '../world/liveSocket.ts';
import { PATIENCE_MS, quantile, Stalls, spread, until } from '../world/time.ts';

const CHATS_PER_DESK = 10;
const HEALTHY_P99_MS = 250;
const WITHOUT_NATS_MS = 5_000;
const AGAIN_MS = 200;

async function prove(place: FailingOver, run: Run): Promise<Findings> {
  const { nats } = place;
  if (nats === undefined) throw new Error('there is no NATS to kill');
  const people = await People.arrive(place, run.size(50, 100));
  const healthy = await people.write(run.size(200, 6_000));
  await nats.kill();
  // Only visitors: an answer would make the other gateway notice the gap.
  const swept = await people.write(run.size(100, 3_000), { visitorsOnly: true });
  await nats.start();
  const back = await people.write(run.size(50, 100));
  const fast = run.timed ? await people.writeUntilFast() : back;
  people.leave();
  run.report.figure(
    [
      `commit to receipt in health: ${spread(healthy.received)}; send to receipt: ${spread(healthy.total)}`,
      `commit to receipt without NATS: ${spread(swept.received)}`,
    ].join('\n'),
  );
  const slow = run.timed && !isFast(healthy) ? [spread(healthy.received)] : [];
  const late = swept.received.filter((ms) => run.timed && ms > WITHOUT_NATS_MS);
  return {
    healthy: [...healthy.problems, ...slow],
    swept: [...swept.problems, ...late.map((ms) => `${ms.toFixed(0)} ms`)],
    back: [
      ...back.problems,
      ...fast.problems,
      ...(run.timed && !isFast(fast) ? [spread(fast.received)] : []),
    ],
    ends: place.unexpectedEnds(),
  };
}

function isFast({ received }: Written): boolean {
  return quantile(received, 0.99) < HEALTHY_P99_MS;
}

type Side = { name: string; socket: LiveSocket; conversationId: string };
/** `received`: from commit to receipt; `total`: from sending. In milliseconds. */
type Written = { received: number[]; total: number[]; problems: string[] };

/** Visitors, and handlers at other gateways than theirs. */
class People {
  readonly #sides: Side[] = [];
  readonly #sentAt = new Map<string, { at: number; by: string; send(): void }>();
  readonly #stalls = new Stalls();
  readonly #perSecond: number;
  #periods: { from: number; to: number }[] = [];
  #written: Written = { received: [], total: [], problems: [] };
  #turn = 0;

  private constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  static async arrive({ database, ports, origin, signing }: FailingOver, perSecond: number): Promise<People> {
    const people = new People(perSecond);
    for (const [at, desk] of DESKS.entries()) {
      const claimed = await seedConversations(database, [desk], Array<number>(CHATS_PER_DESK).fill(0));
      const [port = 0, other = 0] = [ports[at], ports[(at + 1) % ports.length]];
      const ids = claimed.map(({ conversationId }) => conversationId);
      const { token } = await signInHandler(signing, database, desk, ids);
      const answering = await mustOpenSocket({
        ...{ port: other, origin, token, conversations: ids },
        ...people.#listener(desk),
      });
      for (const each of claimed) {
        const { conversationId } = each;
        const visitor = await signInVisitor(signing, each);
        const socket = await mustOpenSocket({
          ...{ port, origin, token: visitor.token, conversations: [conversationId] },
          ...people.#listener(conversationId),
        });
        people.#sides.push({ name: conversationId, socket, conversationId });
        people.#sides.push({ name: desk, socket: answering, conversationId });
      }
    }
    return people;
  }

  #listener(name: string) {
    return {
      received: (frame: Down) => this.#receive(name, frame),
      closed: (code: number) => this.#written.problems.push(`${name} was closed: ${code}`),
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
    this.#written.total.push(now - sent.at);
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
    }, 1_000 / this.#perSecond);
    await until(() => left === 0 && this.#sentAt.size === 0, PATIENCE_MS + (2_000 * count) / this.#perSecond);
    clearInterval(timer);
    if (left + this.#sentAt.size > 0) this.#written.problems.push(`${this.#sentAt.size} did not arrive`);
    this.#sentAt.clear();
    this.#written.received = this.#periods.map(({ from, to }) => this.#stalls.without(from, to));
    return this.#written;
  }

  /** Gateways connect to NATS again within a second or two. */
  async writeUntilFast(): Promise<Written> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const written = await this.write(this.#perSecond);
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
    for (const { socket } of this.#sides) socket.close();
  }
}

export const scenario: Scenario<FailingOver> = {
  what: 'a connected person gets each message, with and without NATS',
  ci: 'beside',
  topology: startFailingOver,
  prove,
  checks: {
    healthy: `[MSG-09] in health, every message reaches the other side at another gateway, at night p99 below ${HEALTHY_P99_MS} ms`,
    swept: `[MSG-09] without NATS, every message reaches the other side, at night within ${WITHOUT_NATS_MS / 1_000} s`,
    back: '[MSG-09] when NATS is back, messages arrive by hints again',
    ends: 'no gateway ends unexpectedly',
  },
};
