import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Signing,
  seedConversations,
  seedDesks,
  signInHandler,
  signInVisitor,
} from '../../../bench/src/people.ts';
import { socketBudgets, upgradeLimits } from '../../../server/testing/rules.ts';
import { type Findings, loadChecks, type Run, type Scenario, underLoad } from '../scenario.ts';
import { type Installation, install } from '../topology/installation.ts';
import { openDevices } from '../world/devices.ts';
import type { Recorder } from '../world/recorder.ts';
import { PATIENCE_MS, quantile, Stalls, until } from '../world/time.ts';
import { Browser, ONE_USE } from '../world/world.ts';
import type { AttackName, Order, Person, Progress } from './attacker.ts';

const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url));
/** The gateway cleans up after the sockets that the attacker left. */
const SETTLE_MS = 3_000;
const MEMORY_MAX_MB = 512;
const BLOCK_WITHIN_MS = 5_000;
const VISITORS = 8;
/** Two devices of a visitor stay below the budget of one message per second. */
const THINK_MS = 2_500;
/** The highest p99 under attack, compared with the calm phase, and a floor below which differences are noise. */
const RATIO_MAX = 3;
const FLOOR_MS = 50;

/** Two gateways with the limits of the product: everybody connects to the first, and staff moderate at the second. */
async function topology({ instance }: Run): Promise<Installation> {
  const place = await install({ instance, gateways: 2, limits: 'of the product' });
  await seedDesks(place.database, 10);
  return place;
}

function signing({ env }: Installation): Signing {
  return { secret: env.SECRET ?? '', publicUrl: env.PUBLIC_URL ?? '' };
}

/** Visitors with one conversation each at this desk. `messages`: long messages that it has already. */
async function visitorsAt(place: Installation, desk: string, count: number, messages = 0): Promise<Person[]> {
  const claimed = await seedConversations(place.database, [desk], Array<number>(count).fill(messages));
  await place.database.run(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select c.id, s.seq, gen_random_uuid(), false, c.visitor_id, now(), repeat('x', 4000)
     from conversations c cross join lateral generate_series(1, c.last_seq) as s (seq)
     where c.id = any ($1)`,
    [claimed.map(({ conversationId }) => conversationId)],
  );
  return Promise.all(claimed.map((each) => signInVisitor(signing(place), each)));
}

/** Visitors without an invite. */
function strangers(place: Installation, count: number): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: count }, () =>
      signInVisitor(signing(place), {
        conversationId: randomUUID(),
        visitorId: randomUUID(),
        credential: randomBytes(32),
        alias: '',
      }),
    ),
  );
}

type Attacker = { progress(): Progress; hasBegun(): boolean; stop(): void };

/** In a separate process with its own addresses and at a limited rate, so that the processor is not what is tested. */
function startAttacker(place: Installation, order: Pick<Order, 'attack' | 'people' | 'size'>): Attacker {
  const child: ChildProcess = fork(ATTACKER, { serialization: 'advanced' });
  let latest: Progress = { open: 0, mostOpen: 0, blocked: 0, sent: 0, answers: {} };
  let hasBegun = false;
  child.on('message', (progress) => {
    latest = progress as Progress;
    hasBegun = true;
  });
  child.send({ ...order, port: place.ports[0], origin: place.origin });
  return { progress: () => latest, hasBegun: () => hasBegun, stop: () => void child.kill('SIGKILL') };
}

type Attack = {
  name: AttackName;
  size: number;
  people: (place: Installation) => Promise<Person[]>;
  /** What the gateway must not exceed in so many seconds. */
  limit?: [text: string, holds: (progress: Progress, seconds: number) => boolean];
  /** What the gateway must do at some time. */
  expected?: [text: string, holds: (progress: Progress) => boolean];
};

const answered = (part: string) => (progress: Progress) =>
  Object.keys(progress.answers).some((answer) => answer.includes(part));
const mostGot429: NonNullable<Attack['expected']> = [
  'most calls got 429',
  ({ answers }) => (answers[429] ?? 0) > (answers[200] ?? 0),
];

/** At most as many frames of this cost as the budgets of the sockets allow. */
const handledAtMost = (answer: string, sockets: number, cost: number): NonNullable<Attack['limit']> => {
  const { burst, perSecond } = socketBudgets.visitor;
  return [
    'few frames were handled',
    ({ answers }, seconds) => (answers[answer] ?? 0) <= (sockets * (burst + 2 * seconds * perSecond)) / cost,
  ];
};

function attacksOf({ size }: Run): Attack[] {
  const visitors = (count: number, messages?: number) => (place: Installation) =>
    visitorsAt(place, 'desk-1', count, messages);
  const nobodies = (count: number) => (place: Installation) => strangers(place, count);
  const [many, pages] = [size(600, 5_000), size(400, 10_000)];
  return [
    {
      ...{ name: 'send flood with new ids', size: 5, people: visitors(1) },
      limit: handledAtMost('refused too_many', 5, 6),
    },
    {
      ...{ name: 'padded frames', size: 72, people: nobodies(72) },
      limit: handledAtMost('refused not_found', 72, 26),
    },
    { name: 'slow readers', size: size(50, 500), people: visitors(size(10, 100), 60) },
    { name: 'half-open sockets', size: size(400, 2_000), people: nobodies(0) },
    {
      ...{ name: 'sockets from one address', size: many, people: nobodies(many) },
      limit: [
        `at most ${upgradeLimits.open} sockets of the address opened`,
        ({ mostOpen }) => mostOpen <= upgradeLimits.open,
      ],
    },
    {
      name: 'hello flood',
      size: 10,
      people: nobodies(0),
      expected: ['it was closed', answered('closed 1008')],
    },
    { name: 'ping flood', size: 5, people: nobodies(5), limit: handledAtMost('pong', 5, 1) },
    { name: 'guessing of passwords and codes', size: size(100, 1_000), people: nobodies(10) },
    { name: 'renames and new codes', size: 1, people: visitors(2), expected: mostGot429 },
    { name: 'upload flood', size: 1, people: visitors(1), expected: mostGot429 },
    {
      name: 'search flood',
      size: 1,
      people: async (place) => [await signInHandler(signing(place), place.database, 'desk-2', [])],
    },
    {
      ...{ name: 'reconnect storm', size: pages, people: visitors(pages) },
      expected: ['all pages of the storm connected', ({ open }) => open === pages],
    },
  ];
}

/** The p99 of well-behaved people, in milliseconds. */
type Figures = { ack: number; receipt: number; queue: number };

async function prove(place: Installation, run: Run): Promise<Findings> {
  const found: Record<'limits' | 'memory' | 'slower' | 'block' | 'people', string[]> = {
    ...{ limits: [], memory: [], slower: [], block: [], people: [] },
  };
  const findings = await underLoad(run, {
    wanted: { sends: 100, faults: 0 },
    thinkMs: THINK_MS,
    async arrive({ random, recorder }) {
      const visitors = await visitorsAt(place, 'desk-0', VISITORS);
      const ids = visitors.flatMap(({ conversationIds }) => conversationIds);
      const handler = await signInHandler(signing(place), place.database, 'desk-0', ids);
      const browser = (token: string) => Object.assign(new Browser(place.origin, place.ports[0]), { token });
      const chats = visitors.map(({ token, conversationIds: [id = ''] }) => ({
        ...{ id, first: browser(token), second: browser(token) },
      }));
      const desk = { alias: 'desk-0', handler: browser(handler.token), chats };
      const from = { databaseUrl: place.database.url, gatewayPorts: [place.ports[0]] };
      const parts = { origin: place.origin, port: place.ports[0], from, recorder, random, gatewayPorts: [] };
      return [await openDevices([desk], { ...parts, retries: 0, speed: 1 })];
    },
    async act({ crowds: [crowd], recorder }) {
      if (crowd === undefined) throw new Error('nobody came');
      const queue = readQueue(place, crowd.desks[0]?.handler.token ?? '', found.people);
      const measure = async (ms: number, name: string): Promise<Figures> => {
        const from = {
          ack: recorder.waits.length,
          receipt: recorder.latencies.length,
          queue: queue.took.length,
        };
        recorder.measuring = true;
        await sleep(ms);
        const figures = figuresSince(recorder, queue.took, from);
        const { ack, receipt, queue: queued } = figures;
        run.report.figure(
          `${name}: p99 of ack ${ack} ms, receipt ${receipt} ms, queue ${queued} ms; ${place.gateways[0]?.peakMemory()} MB`,
        );
        return figures;
      };
      for (const attack of attacksOf(run)) {
        run.log(attack.name);
        // The speed of the machine changes, so each attack has its own calm phase.
        const calm = await measure(run.size(2_000, 15_000), 'calm');
        await attackOnce(place, run, attack, { calm, measure, found });
      }
      for (const natsDown of [false, true]) found.block.push(...(await blockFlood(place, run, natsDown)));
      await queue.stop();
      const { lostCount } = crowd.connections;
      if (lostCount > 0) found.people.push(`${lostCount} connections were lost`);
      const refused = [...recorder.refusals].map(([code, count]) => `${count} × refused for now: ${code}`);
      if (run.timed) found.people.push(...refused);
    },
  });
  const { slower, ...rest } = found;
  return { ...findings, ...rest, ...(run.timed && { slower }), ends: place.unexpectedEnds() };
}

function figuresSince(recorder: Recorder, queue: readonly number[], from: Figures): Figures {
  const p99 = (values: readonly number[]): number => Math.round(quantile(values, 0.99) * 10) / 10;
  return {
    ack: p99(recorder.waits.slice(from.ack).map(({ writtenAt, ackedAt }) => ackedAt - writtenAt)),
    receipt: p99(recorder.latencies.slice(from.receipt)),
    queue: p99(queue.slice(from.queue)),
  };
}

async function attackOnce(
  place: Installation,
  run: Run,
  { name, size, people, expected, limit }: Attack,
  parts: {
    calm: Figures;
    measure(ms: number, name: string): Promise<Figures>;
    found: Record<'limits' | 'memory' | 'slower', string[]>;
  },
): Promise<void> {
  const { calm, found } = parts;
  const attacker = startAttacker(place, { attack: name, size, people: await people(place) });
  await until(attacker.hasBegun);
  const began = performance.now();
  const figures = await parts.measure(run.size(3_000, 15_000), name);
  // On a machine that stood still, the attack may only begin now.
  if (expected !== undefined && !(await until(() => expected[1](attacker.progress()))))
    found.limits.push(`${name}: not ${expected[0]}`);
  attacker.stop();
  const { sent, answers } = attacker.progress();
  const seconds = (performance.now() - began) / 1_000;
  run.report.figure(`  ${sent} sent; ${JSON.stringify(answers)}`);
  await sleep(SETTLE_MS);
  if (limit !== undefined && !limit[1](attacker.progress(), seconds))
    found.limits.push(`${name}: not ${limit[0]}`);
  const memory = place.gateways[0]?.peakMemory() ?? 0;
  if (memory >= MEMORY_MAX_MB) found.memory.push(`${name}: ${memory} MB`);
  for (const kind of ['ack', 'receipt', 'queue'] as const) {
    const most = Math.max(FLOOR_MS, RATIO_MAX * calm[kind]);
    if (figures[kind] > most)
      found.slower.push(`${name}: p99 of ${kind} ${figures[kind]} ms, at most ${most.toFixed(0)} ms`);
  }
}

/** A well-behaved handler, who also reads the queue over HTTP. */
function readQueue({ ports, origin }: Installation, token: string, found: string[]) {
  const took: number[] = [];
  let stopped = false;
  const reading = (async () => {
    for (; !stopped; await sleep(100)) {
      const began = performance.now();
      const headers = { origin, authorization: `Bearer ${token}`, ...ONE_USE };
      const answer = await fetch(`http://127.0.0.1:${ports[0]}/queue`, { headers }).catch(() => undefined);
      if (answer?.status === 200) took.push(performance.now() - began);
      else found.push(`the queue answered ${answer?.status}`);
    }
  })();
  return {
    took,
    stop(): Promise<void> {
      stopped = true;
      return reading;
    },
  };
}

/** A flood from many sockets ends soon after the handler has blocked the conversations at another gateway. */
async function blockFlood(place: Installation, run: Run, natsDown: boolean): Promise<string[]> {
  const count = run.size(10, 100);
  const size = 5 * count;
  const flooding = await visitorsAt(place, 'desk-3', count);
  const { token } = await signInHandler(signing(place), place.database, 'desk-3', []);
  const attacker = startAttacker(place, { attack: 'send flood with new ids', people: flooding, size });
  const found: string[] = [];
  if (!(await until(() => attacker.progress().open === size))) found.push('not all sockets flood');
  if (natsDown) await place.nats.kill();
  await sleep(500);
  const stalls = new Stalls();
  const began = performance.now();
  await Promise.all(
    flooding.map(async ({ conversationIds: [id] }) => {
      const { status } = await fetch(`http://127.0.0.1:${place.ports[1]}/conversations/${id}/status`, {
        method: 'PUT',
        headers: {
          origin: place.origin,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ status: 'blocked' }),
      });
      if (status !== 200) found.push(`blocking answered ${status}`);
    }),
  );
  const over = await until(() => {
    const { blocked, open } = attacker.progress();
    return blocked >= size || open === 0;
  }, PATIENCE_MS);
  const tookMs = Math.round(stalls.without(began, performance.now()));
  attacker.stop();
  if (natsDown) await place.nats.start();
  const state = natsDown ? 'without NATS' : 'with NATS';
  run.report.figure(`blocking ${size} sockets ${state} took ${tookMs} ms`);
  if (!over || (run.timed && tookMs > BLOCK_WITHIN_MS)) found.push(`${state}: after ${tookMs} ms`);
  return found;
}

export const scenario: Scenario<Installation> = {
  what: 'hostile clients beside well-behaved people',
  topology,
  prove,
  checks: {
    ...loadChecks,
    people: 'well-behaved people keep their connections, and none of their messages is refused for now',
    limits: 'the gateway keeps its limits during every attack',
    memory: `the gateway uses less than ${MEMORY_MAX_MB} MB`,
    slower: `under attack, the p99 of well-behaved people is at most ${RATIO_MAX} times as long, or ${FLOOR_MS} ms`,
    block: `a block at another gateway ends a flood within ${BLOCK_WITHIN_MS / 1_000} s, also without NATS`,
    ends: 'no gateway ends unexpectedly',
  },
};
