// Hostile clients beside a handler and visitors who behave well: nothing may happen to those.
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { socketBudgets, upgradeLimits } from '../../server/src/limits/table.ts';
import { fullSize, isFull } from '../../tools/fullSize.ts';
import { Stalls } from '../proof/stalls.ts';
import { Suite } from '../proof/suite.ts';
import { until } from '../proof/until.ts';
import type { AttackName, Order, Progress } from './attacker.ts';
import { type Figures, People, p99 } from './people.ts';
import { INSTANCE, type Person, type Stage, setStage } from './stage.ts';

const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url));
const CALM_MS = fullSize(4_000, 15_000);
const ATTACK_MS = fullSize(3_000, 15_000);
/** The gateway cleans up after the sockets that the attacker left. */
const SETTLE_MS = fullSize(0, 3_000);
const MEMORY_MAX_MB = 512;
const BLOCK_WITHIN_MS = 5_000;
/** Only for an attacker that hangs. */
const BEGINS_WITHIN_MS = 60_000;
/** The part of the messages that may be refused for the moment in CI, where the machine may be busy. */
const REFUSED_SHARE_MAX = 0.2;
/** The highest p99 under attack, compared with the calm phase, and a floor below which differences are noise. */
const RATIO_MAX = 3;
const FLOOR_MS = 50;

const { values } = parseArgs({
  options: { attack: { type: 'string', multiple: true }, keep: { type: 'boolean', default: false } },
});

const suite = new Suite();

function check(holds: boolean, text: string): void {
  console.log(`${holds ? 'ok    ' : 'BROKEN'} ${text}`);
  suite.tally(holds);
}

type Attacker = { progress(): Progress; hasBegun(): boolean; stop(): void };

function startAttacker(order: Order): Attacker {
  const child: ChildProcess = fork(ATTACKER, { serialization: 'advanced' });
  let latest: Progress = { open: 0, mostOpen: 0, blocked: 0, sent: 0, answers: {} };
  let hasBegun = false;
  child.on('message', (progress) => {
    latest = progress as Progress;
    hasBegun = true;
  });
  child.send(order);
  return { progress: () => latest, hasBegun: () => hasBegun, stop: () => void child.kill('SIGKILL') };
}

type Attack = {
  name: AttackName;
  size: number;
  people: (stage: Stage) => Promise<Person[]>;
  /** What the gateway must not exceed in so many seconds. */
  limit?: [text: string, holds: (progress: Progress, seconds: number) => boolean];
  /** What the gateway must do at some time. */
  expected?: [text: string, holds: (progress: Progress) => boolean];
};

const strangers = (count: number) => (stage: Stage) => stage.strangers(count);
const visitors = (count: number, messages?: number) => (stage: Stage) =>
  stage.visitors('desk-1', count, messages);
const answered = (part: string) => (progress: Progress) =>
  Object.keys(progress.answers).some((answer) => answer.includes(part));

/** At most as many frames of this cost as the budgets of the sockets allow. */
const handledAtMost = (answer: string, sockets: number, cost: number) => {
  const { burst, perSecond } = socketBudgets.visitor;
  return ({ answers }: Progress, seconds: number) =>
    (answers[answer] ?? 0) <= (sockets * (burst + 2 * seconds * perSecond)) / cost;
};

const attacks: Attack[] = [
  {
    name: 'send flood with new ids',
    size: 5,
    people: visitors(1),
    limit: ['few frames were handled', handledAtMost('refused too_many', 5, 6)],
  },
  {
    name: 'padded frames',
    size: 72,
    people: strangers(72),
    limit: ['few frames were handled', handledAtMost('refused not_found', 72, 26)],
  },
  { name: 'slow readers', size: fullSize(50, 500), people: visitors(fullSize(10, 100), 60) },
  { name: 'half-open sockets', size: fullSize(400, 2_000), people: strangers(0) },
  {
    name: 'sockets from one address',
    size: fullSize(600, 5_000),
    people: strangers(fullSize(600, 5_000)),
    limit: [
      `at most ${upgradeLimits.open} sockets of the address opened`,
      ({ mostOpen }) => mostOpen <= upgradeLimits.open,
    ],
  },
  { name: 'hello flood', size: 10, people: strangers(0), expected: ['closed', answered('closed 1008')] },
  {
    name: 'ping flood',
    size: 5,
    people: strangers(5),
    limit: ['few frames were handled', handledAtMost('pong', 5, 1)],
  },
  {
    name: 'guessing of passwords and codes',
    size: fullSize(100, 1_000),
    people: strangers(10),
  },
  {
    name: 'renames and new codes',
    size: 1,
    people: visitors(2),
    expected: ['most calls got 429', ({ answers }) => (answers[429] ?? 0) > (answers[200] ?? 0)],
  },
  {
    name: 'upload flood',
    size: 1,
    people: visitors(1),
    expected: ['most calls got 429', ({ answers }) => (answers[429] ?? 0) > (answers[200] ?? 0)],
  },
  {
    name: 'search flood',
    size: 1,
    people: async (stage) => [await stage.handler('desk-2', [])],
  },
  {
    name: 'reconnect storm',
    size: fullSize(400, 10_000),
    people: visitors(fullSize(400, 10_000)),
  },
];

function line(name: string, figures: Figures, memory: number): string {
  const { ack, receipt, queue } = p99(figures);
  return `  ${name.padEnd(34)} p99: ack ${ack} ms, receipt ${receipt} ms, queue ${queue} ms; ${memory} MB`;
}

async function calmPhase(stage: Stage, people: People): Promise<Figures> {
  people.takeFigures();
  await sleep(CALM_MS);
  const figures = people.takeFigures();
  console.log(line('calm', figures, stage.peakMemory()));
  return figures;
}

async function attackRun(stage: Stage, people: People, attack: Attack, calm: Figures): Promise<void> {
  const { name, size, expected, limit } = attack;
  const order = { attack: name, port: stage.port, origin: stage.origin, size };
  const attacker = startAttacker({ ...order, people: await attack.people(stage) });
  await until(attacker.hasBegun, BEGINS_WITHIN_MS);
  const began = performance.now();
  people.takeFigures();
  await sleep(ATTACK_MS);
  const figures = people.takeFigures();
  // On a machine that stood still, the attack may only begin now.
  if (expected !== undefined) await until(() => expected[1](attacker.progress()), BEGINS_WITHIN_MS);
  if (name === 'reconnect storm') {
    const all = await until(() => attacker.progress().open === size, 60_000);
    check(all, `all ${size} pages of the storm connected`);
  }
  attacker.stop();
  await sleep(SETTLE_MS);
  const { sent, answers } = attacker.progress();
  const seconds = (performance.now() - began) / 1_000;
  console.log(line(name, figures, stage.peakMemory()));
  console.log(`    ${sent} sent; ${JSON.stringify(answers)}`);
  const findings = [...people.findings.splice(0), ...tooManyRefused(figures)];
  check(findings.length === 0, `${name}: nothing happened to well-behaved people`);
  suite.examples(findings);
  check(stage.peakMemory() < MEMORY_MAX_MB, `${name}: the gateway used less than ${MEMORY_MAX_MB} MB`);
  if (expected !== undefined) check(expected[1](attacker.progress()), `${name}: ${expected[0]}`);
  if (limit !== undefined) check(limit[1](attacker.progress(), seconds), `${name}: ${limit[0]}`);
  if (!isFull) return;
  const [quiet, loud] = [p99(calm), p99(figures)];
  for (const kind of ['ack', 'receipt', 'queue'] as const) {
    const limit = Math.max(FLOOR_MS, RATIO_MAX * quiet[kind]);
    check(loud[kind] <= limit, `${name}: p99 of ${kind} is at most ${limit.toFixed(0)} ms`);
  }
}

/** A gateway whose disk stands still for half a second refuses messages for the moment, also without an attack. */
function tooManyRefused({ ack, refused }: Figures): string[] {
  const most = fullSize(REFUSED_SHARE_MAX, 0) * (ack.length + refused.length);
  return refused.length > most ? [`${refused.length} refused for the moment: ${refused[0]}`] : [];
}

/** A flood from many sockets ends soon after the handler has blocked the conversations at another gateway. */
async function blockRun(stage: Stage, people: People, natsDown: boolean): Promise<void> {
  const count = fullSize(10, 100);
  const size = 5 * count;
  const flooding = await stage.visitors('desk-3', count);
  const { token } = await stage.handler('desk-3', []);
  const attacker = startAttacker({
    attack: 'send flood with new ids',
    port: stage.port,
    origin: stage.origin,
    people: flooding,
    size,
  });
  const open = await until(() => attacker.progress().open === size, BEGINS_WITHIN_MS);
  check(open, `${size} sockets flood`);
  if (natsDown) await stage.nats.kill();
  await sleep(500);
  const stalls = new Stalls();
  people.takeFigures();
  const began = performance.now();
  const calls = flooding.flatMap(({ conversationIds }) =>
    conversationIds.map(async (id) => {
      const { status } = await fetch(`http://127.0.0.1:${stage.moderationPort}/conversations/${id}/status`, {
        method: 'PUT',
        headers: {
          origin: stage.origin,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ status: 'blocked' }),
      });
      if (status !== 200) people.findings.push(`blocking answered ${status}`);
    }),
  );
  await Promise.all(calls);
  const over = await until(() => {
    const { blocked, open: left } = attacker.progress();
    return blocked >= size || left === 0;
  }, 30_000);
  const took = Math.round(stalls.without(began, performance.now()));
  attacker.stop();
  if (natsDown) await stage.nats.start();
  const state = natsDown ? 'without NATS' : 'with NATS';
  console.log(`  blocking ${size} sockets ${state} took ${took} ms`);
  check(over && took < BLOCK_WITHIN_MS, `${state}, a block takes effect within ${BLOCK_WITHIN_MS} ms`);
  const findings = [...people.findings.splice(0), ...tooManyRefused(people.takeFigures())];
  check(findings.length === 0, `${state}, nothing happened to well-behaved people`);
  suite.examples(findings);
}

async function main(): Promise<void> {
  const stage = await setStage(values.keep);
  const people = await People.arrive(stage);
  await sleep(1_000);
  let calm: Figures = people.takeFigures();
  for (const attack of attacks.filter(({ name }) => values.attack?.includes(name) ?? true)) {
    suite.log(attack.name);
    // The speed of the machine changes, so each attack has its own calm phase, unless nothing compares them.
    if (isFull || attack === attacks[0]) calm = await calmPhase(stage, people);
    await attackRun(stage, people, attack, calm);
  }
  if (values.attack === undefined) {
    suite.log('blocking');
    await blockRun(stage, people, false);
    await blockRun(stage, people, true);
  }
  await people.leave();
  check(
    people.findings.length === 0,
    'no message of a well-behaved person is lost, repeated or out of order',
  );
  suite.examples(people.findings);
  check(stage.unexpectedEnds().length === 0, 'no gateway ended');
  suite.examples(stage.unexpectedEnds());
  await stage.close();
}

await suite.run(main, { instances: [INSTANCE], keep: values.keep });
