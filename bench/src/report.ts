import type { BackupResult } from './backup.ts';
import type { DashboardResult } from './dashboard.ts';
import { type DataResult, messagesOf } from './data.ts';
import type { GatewaysCpu, GatewaysResult } from './gateways.ts';
import type { HoldResult } from './hold.ts';
import type { MemoryResult, PerSocket } from './memory.ts';
import type { Opening, OpenResult } from './open.ts';
import type { Overload } from './overload.ts';
import { faultsOf, type PathStep, sustainedRate } from './path.ts';
import { percentile, type Spread } from './percentile.ts';
import type { StorageResult } from './storage.ts';
import type { Round } from './throughput.ts';
import type { WalResult } from './wal.ts';

export type Machine = { cores: number; processor: string; memoryGb: number; node: string; postgres: string };

export type Results = {
  measuredOn: string;
  machine: Machine;
  quick: boolean;
  /** One entry per round, in the order in which they were measured. */
  rounds?: Round[];
  gateways?: GatewaysResult;
  overload?: Overload;
  memory?: MemoryResult;
  hold?: HoldResult;
  storage?: StorageResult;
  wal?: WalResult;
  open?: OpenResult;
  dashboard?: DashboardResult;
  data?: DataResult;
  backup?: BackupResult;
  notes: string[];
};

export type Verdict = { what: string; value: number; limit: string; met: boolean };

const APPEND_MIN = 0.6;
const PATH_MIN = 0.4;
const PATH_CPU_MAX = 1.5;
const CALM_P50_MAX = 4;
const CALM_P99_MAX = 10;
const CALM_CPU_MAX = 250;
const TWO_GATEWAYS_MIN = 1.7;
const MEMORY_MAX = 1.25;
const OPEN_MAX = 1.1;
const WAL_MAX_BYTES = 2_000;
const DASHBOARD_MAX_MS = 300;
const DATA_MAX_MS = 200;
/** Ten times the history may take this many times as long. */
const DATA_GROWTH_MAX = 1.5;
const GOODPUT_MIN = 0.9;
const OVERLOAD_MAX_MS = 1_000;
const RECOVERED_MAX_SECONDS = 5;

/** Ratios within the run, so that the result does not depend on the machine. */
export function evaluate(results: Results): Verdict[] {
  const { rounds = [], gateways, overload, memory, wal, open, dashboard, data } = results;
  const verdicts: Verdict[] = throughputVerdicts(rounds);
  if (gateways !== undefined) verdicts.push(...gatewaysVerdicts(gateways));
  if (overload !== undefined) verdicts.push(...overloadVerdicts(overload));
  if (memory !== undefined)
    verdicts.push(atMost('memory of an idle socket / bare ws', memory.ratio, MEMORY_MAX));
  if (wal !== undefined)
    verdicts.push(atMost(`bytes of WAL per message at ${wal.rate} a second`, wal.bytes, WAL_MAX_BYTES));
  if (open !== undefined) {
    const than = `opening with ${figure(open.big)} messages / with ${figure(open.small)}`;
    verdicts.push(atMost(`${than}, socket`, open.ratio.socket, OPEN_MAX));
    verdicts.push(atMost(`${than}, HTTP`, open.ratio.http, OPEN_MAX));
  }
  for (const { period, ms } of dashboard?.times ?? []) {
    verdicts.push(atMost(`the dashboard of ${period}, ms, p99`, ms.p99, DASHBOARD_MAX_MS));
  }
  if (data !== undefined) verdicts.push(...dataVerdicts(data));
  return verdicts;
}

function dataVerdicts({ big, calls }: DataResult): Verdict[] {
  const wrong = calls.reduce((sum, call) => sum + call.small.wrong + call.big.wrong, 0);
  return [
    ...calls.flatMap(({ what, small, big: much }) => [
      atMost(`${what}, ms, p99 with ${figure(big)} conversations`, much.p99, DATA_MAX_MS),
      atMost(`${what}, growth of p50`, much.p50 / small.p50, DATA_GROWTH_MAX),
    ]),
    { what: 'with much data: incomplete or wrong answers', value: wrong, limit: '= 0', met: wrong === 0 },
  ];
}

/** Each ratio is taken within a round. The median of the rounds counts. */
function throughputVerdicts(rounds: Round[]): Verdict[] {
  const verdicts: Verdict[] = [];
  const compare = (
    what: string,
    of: (round: Round) => number | undefined,
    limit: { min?: number; max?: number },
  ): void => {
    const value = medianOf(rounds, of);
    if (Number.isNaN(value)) return;
    const { min, max = Number.POSITIVE_INFINITY } = limit;
    if (min === undefined) verdicts.push(atMost(what, value, max));
    else verdicts.push({ what, value, limit: `≥ ${min}`, met: value >= min });
  };
  compare('a/a0: append function / minimal statement, one message a commit', ratioA, { min: APPEND_MIN });
  compare('c/b0: whole path / minimal statement with 64 messages', ratioC, { min: PATH_MIN });
  compare('PostgreSQL µs a message at the best rate / b0', ratioCpu, { max: PATH_CPU_MAX });
  compare(
    'at 1,000 a second: receipt p50 / minimal commit',
    ({ calm, commit }) => over(calm?.receipt.p50, commit?.p50),
    {
      max: CALM_P50_MAX,
    },
  );
  compare(
    'at 1,000 a second: receipt p99 / minimal commit',
    ({ calm, commit }) => over(calm?.receipt.p99, commit?.p99),
    {
      max: CALM_P99_MAX,
    },
  );
  compare('at 1,000 a second: PostgreSQL µs a message', ({ calm }) => calm?.cpu.postgres, {
    max: CALM_CPU_MAX,
  });
  if (rounds.some(({ path }) => path !== undefined)) {
    const value = rounds.flatMap(stepsOf).flatMap(faultsOf).length;
    verdicts.push({
      what: 'messages lost, duplicated or out of order',
      value,
      limit: '= 0',
      met: value === 0,
    });
  }
  return verdicts;
}

function ratioA({ bare }: Round): number | undefined {
  return over(bare?.a.rate, bare?.a0.rate);
}

function ratioC({ bare, path }: Round): number | undefined {
  return over(bestRate(path?.best), bare?.b0.rate);
}

function ratioCpu({ bare, path }: Round): number | undefined {
  return over(path?.best?.cpu.postgres, bare?.b0.cpu);
}

function bestRate(best: PathStep | undefined): number | undefined {
  return best === undefined ? undefined : sustainedRate(best);
}

function stepsOf({ calm, path }: Round): PathStep[] {
  return [...(calm === undefined ? [] : [calm]), ...(path?.steps ?? [])];
}

function over(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base;
}

function medianOf(rounds: Round[], of: (round: Round) => number | undefined): number {
  return percentile(
    rounds.flatMap((round) => of(round) ?? []),
    0.5,
  );
}

/** Figures of the rounds, with the difference between the largest and the smallest as a share of the median. */
export function spreadsOf(
  rounds: Round[],
): { what: string; values: number[]; median: number; spread: number }[] {
  const figures: [string, (round: Round) => number | undefined][] = [
    ...(['a0', 'a', 'b0', 'b'] as const).map((name): [string, (round: Round) => number | undefined] => [
      name,
      ({ bare }) => bare?.[name].rate,
    ]),
    ['c', ({ path }) => bestRate(path?.best)],
    ['a/a0', ratioA],
    ['c/b0', ratioC],
  ];
  return figures.flatMap(([what, of]) => {
    const values = rounds.flatMap((round) => of(round) ?? []);
    if (values.length === 0) return [];
    const median = percentile(values, 0.5);
    return [{ what, values, median, spread: (Math.max(...values) - Math.min(...values)) / median }];
  });
}

function overloadVerdicts({ steps, most, lost, duplicated, outOfOrder, closed }: Overload): Verdict[] {
  const faults = lost + duplicated + outOfOrder + closed.length;
  return [
    ...steps.flatMap(({ rate, factor, goodput, ack, recovered }) => {
      if (factor === 1) return [];
      const asked = `asked for ${figure(rate)} a second`;
      const share = goodput / most;
      return [
        {
          what: `${asked}: stored, of the maximum`,
          value: share,
          limit: `≥ ${GOODPUT_MIN}`,
          met: share >= GOODPUT_MIN,
        },
        atMost(`${asked}: ack p99, ms`, ack.p99, OVERLOAD_MAX_MS),
        atMost(`${asked}: seconds until latency was normal`, recovered, RECOVERED_MAX_SECONDS),
      ];
    }),
    {
      what: 'under overload: lost, duplicated, out of order, closed sockets',
      value: faults,
      limit: '= 0',
      met: faults === 0,
    },
  ];
}

function overloadLines({ steps, closed }: Overload): string[] {
  return [
    '',
    'Overload: pages that send again what was refused',
    ...steps.map(
      ({ rate, goodput, ack, refused, unsent }) =>
        `  asked ${figure(rate).padStart(7)}  stored ${figure(goodput).padStart(7)}  ack p50 ${ack.p50.toFixed(0)} p99 ${ack.p99.toFixed(0)} ms  refused ${figure(refused)}  not sent ${figure(unsent)}`,
    ),
    ...[...new Set(closed)].map((why) => `  FAULT a socket was closed: ${why}`),
  ];
}

function gatewaysVerdicts({ cpu, limited, coreShare }: GatewaysResult): Verdict[] {
  const atLeast = (what: string, value: number): Verdict => ({
    what: `two gateways / one, ${what}`,
    value,
    limit: `≥ ${TWO_GATEWAYS_MIN}`,
    met: value >= TWO_GATEWAYS_MIN,
  });
  const ratios = limited.map(({ one, two }) => two / one);
  return [
    atLeast('by CPU time', carries(cpu)),
    ...(ratios.length === 0
      ? []
      : [atLeast(`each with ${100 * coreShare} % of a core`, percentile(ratios, 0.5))]),
  ];
}

/** How much more two gateways carry if CPU time limits them: until the busier one has none left. */
function carries({ one, double, busier }: GatewaysCpu): number {
  return one.gateway / double.gateway / busier;
}

function gatewaysLines({ cpu, limited, coreShare }: GatewaysResult): string[] {
  const line = (label: string, { gateway, postgres, nats }: GatewaysCpu['one']): string =>
    `  ${label.padEnd(40)} gateway ${gateway.toFixed(0)} µs  PostgreSQL ${postgres.toFixed(0)} µs  NATS ${nats.toFixed(0)} µs`;
  return [
    '',
    'One gateway, and two on one port (GATEWAYS=2); CPU time a message, all processes of a kind together',
    line(`one, ${figure(cpu.rate)} messages a second`, cpu.one),
    line(`two, ${figure(cpu.rate)} messages a second`, cpu.same),
    line(`two, ${figure(2 * cpu.rate)} messages a second`, cpu.double),
    `  the busier of the two has ${(100 * cpu.busier).toFixed(0)} %`,
    ...limited.map(
      ({ one, two }) =>
        `  with ${100 * coreShare} % of a core each: one ${figure(one)}, two ${figure(two)} messages a second: ${(two / one).toFixed(2)} ×`,
    ),
  ];
}

function atMost(what: string, value: number, limit: number): Verdict {
  return { what, value, limit: `≤ ${limit}`, met: value <= limit };
}

export function machineLine({ cores, processor, memoryGb, node, postgres }: Machine): string {
  return `${cores} × ${processor}, ${memoryGb} GB; Node ${node}; PostgreSQL ${postgres}, fsync on`;
}

export function report(results: Results): string {
  const {
    machine,
    rounds,
    gateways,
    overload,
    memory,
    hold,
    storage,
    wal,
    open,
    dashboard,
    data,
    backup,
    notes,
  } = results;
  return [
    machineLine(machine),
    ...(rounds === undefined ? [] : roundLines(rounds)),
    ...(gateways === undefined ? [] : gatewaysLines(gateways)),
    ...(overload === undefined ? [] : overloadLines(overload)),
    ...(memory === undefined ? [] : memoryLines(memory)),
    ...(hold === undefined ? [] : holdLines(hold)),
    ...(storage === undefined ? [] : storageLines(storage)),
    ...(wal === undefined ? [] : walLines(wal)),
    ...(open === undefined ? [] : openLines(open)),
    ...(dashboard === undefined ? [] : dashboardLines(dashboard)),
    ...(data === undefined ? [] : dataLines(data)),
    ...(backup === undefined ? [] : backupLines(backup)),
    '',
    ...evaluate(results).map(
      ({ what, value, limit, met }) =>
        `${met ? 'met    ' : 'NOT MET'}  ${what}: ${value.toFixed(2)} (${limit})`,
    ),
    ...notes.map((note) => `note     ${note}`),
  ].join('\n');
}

const NAMES: Record<string, string> = {
  a0: 'minimal statement, one message a commit, 8 clients',
  a: 'append function, one message a commit, 8 clients',
  b0: 'minimal statement, 64 messages a commit, 2 clients',
  b: 'append function, 64 messages a commit, 2 clients',
  c: 'whole product, best sustained rate',
};

function roundLines(rounds: Round[]): string[] {
  const cpu = (of: (round: Round) => number | undefined): string => `${medianOf(rounds, of).toFixed(0)} µs`;
  return [
    '',
    `Messages a second (median of ${rounds.length} rounds; the rounds; spread)`,
    ...spreadsOf(rounds).map(({ what, values, median, spread }) => {
      const shown = (value: number): string => (median < 10 ? value.toFixed(2) : figure(value));
      const all = values.map(shown).join(', ');
      return `  ${what.padEnd(5)} ${shown(median).padStart(8)}  (${all}; ±${(50 * spread).toFixed(0)} %)  ${NAMES[what] ?? ''}`;
    }),
    `  PostgreSQL a message: a0 ${cpu(({ bare }) => bare?.a0.cpu)}, a ${cpu(({ bare }) => bare?.a.cpu)}, b0 ${cpu(({ bare }) => bare?.b0.cpu)}, b ${cpu(({ bare }) => bare?.b.cpu)}, c ${cpu(({ path }) => path?.best?.cpu.postgres)}`,
    `  gateway a message: at 1,000 a second ${cpu(({ calm }) => calm?.cpu.gateway)}, c ${cpu(({ path }) => path?.best?.cpu.gateway)}`,
    `  minimal commit at 1,000 a second: p50 ${medianOf(rounds, ({ commit }) => commit?.p50).toFixed(1)} ms, p99 ${medianOf(rounds, ({ commit }) => commit?.p99).toFixed(1)} ms; PostgreSQL ${cpu(({ commit }) => commit?.cpu)} a message`,
    `  whole product at 1,000 a second: p50 ${medianOf(rounds, ({ calm }) => calm?.receipt.p50).toFixed(1)} ms, p99 ${medianOf(rounds, ({ calm }) => calm?.receipt.p99).toFixed(1)} ms; PostgreSQL ${cpu(({ calm }) => calm?.cpu.postgres)} a message`,
    ...[...new Set(rounds.flatMap(stepsOf).flatMap(faultsOf))].map((fault) => `  FAULT ${fault}`),
  ];
}

export const stepHead = [
  '   asked    got  ok | receipt p50    p99 | ack p50     p99 | generator late p99 |',
  'µs a message: gateway postgres  nats generator | batch',
].join(' ');

export function stepLine(step: PathStep): string {
  const { asked, rate, sustained, receipt, ack, late, cpu, batch, refused, closed } = step;
  const ms = (value: number, width: number): string => value.toFixed(1).padStart(width);
  const us = (value: number, width: number): string => value.toFixed(0).padStart(width);
  return [
    `${us(asked, 8)} ${us(rate, 6)} ${sustained ? 'yes' : ' no'} |`,
    `${ms(receipt.p50, 11)} ${ms(receipt.p99, 6)} |${ms(ack.p50, 8)} ${ms(ack.p99, 7)} |${ms(late.p99, 19)} |`,
    `${us(cpu.gateway, 21)} ${us(cpu.postgres, 8)} ${us(cpu.nats, 5)} ${us(cpu.generator, 9)} |${ms(batch, 6)}`,
    ...(refused > 0 ? [`refused ${figure(refused)}`] : []),
    ...[...new Set(closed)].map((why) => `closed: ${why}`),
  ].join(' ');
}

function holdLines({ sockets, gateways, seconds, openSeconds, bytesPerSocket, cores }: HoldResult): string[] {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    '',
    `${figure(sockets)} idle, watching sockets at ${gateways} gateways for ${seconds} s (opened in ${openSeconds.toFixed(0)} s); none was closed`,
    `  memory of the gateways per socket: ${figure(bytesPerSocket.first)} bytes at first, ${figure(bytesPerSocket.last)} at the end`,
    `  CPU, of one core: gateways ${percent(cores.gateways)}, PostgreSQL ${percent(cores.postgres)}, NATS ${percent(cores.nats)}`,
  ];
}

function memoryLines({ sockets, product, bare }: MemoryResult): string[] {
  const line = (label: string, each: PerSocket): string =>
    `  ${label} RSS ${figure(each.rss)}  (Pss ${figure(each.pss)}; heap ${figure(each.heap)} and external ${figure(each.external)} of it)`;
  return [
    '',
    `Bytes per idle, authenticated, watching socket (from ${figure(sockets / 5)} to ${figure(sockets)} sockets, after GC)`,
    line('gateway ', product),
    line('bare ws ', bare),
  ];
}

function walLines({ rate, seconds, messages, bytes, pages }: WalResult): string[] {
  return [
    '',
    `WAL, ${figure(seconds)} s at ${rate} messages a second after a checkpoint`,
    `  ${figure(messages)} messages   ${figure(bytes)} bytes each   ${pages.toFixed(3)} whole pages each`,
  ];
}

function storageLines(storage: StorageResult): string[] {
  const { messages, conversations, text, stored, searched, counted, logged, conversation } = storage;
  return [
    '',
    `Bytes on the disk (${figure(messages)} messages in ${figure(conversations)} conversations, ${figure(text)} bytes of text each)`,
    `  a message     row and indexes ${figure(stored)}   search ${figure(searched)}   figures ${figure(counted)}   log (WAL) ${figure(logged)}`,
    `  a conversation, its invite and device ${figure(conversation)}`,
  ];
}

function openLines(open: OpenResult): string[] {
  const line = (label: string, { socket, http }: Opening): string =>
    `  ${label.padEnd(38)} socket p50 ${socket.p50.toFixed(2)} p99 ${socket.p99.toFixed(2)}   HTTP p50 ${http.p50.toFixed(2)} p99 ${http.p99.toFixed(2)}`;
  return [
    '',
    `Opening a conversation, ms (the newest 50 messages, ${figure(open.opened)} times, warm)`,
    line(`with ${figure(open.small)} messages stored`, open.withSmall),
    line(`with ${figure(open.big)} messages stored`, open.withBig),
    line('… the longest conversation of those', open.longest),
    `  loaded in ${open.loadSeconds.toFixed(0)} s`,
  ];
}

function backupLines({ messages, tableBytes, bytes, ...runs }: BackupResult): string[] {
  const megabytes = (count: number): string => (count / 1_000_000).toFixed(0);
  return [
    '',
    `Backup of ${figure(messages)} messages: ${megabytes(tableBytes)} MB in PostgreSQL, ${megabytes(bytes)} MB written`,
    ...Object.entries(runs).map(
      ([name, { seconds, memoryMb }]) =>
        `  ${name.padEnd(8)} ${seconds.toFixed(1)} s, at most ${memoryMb.toFixed(0)} MB of memory`,
    ),
  ];
}

function dashboardLines({ messages, conversations, loadSeconds, times }: DashboardResult): string[] {
  return [
    '',
    `The dashboard, ms (the whole call, ${figure(messages)} messages in ${figure(conversations)} conversations)`,
    ...times.map(
      ({ period, first, ms }) =>
        `  ${period.padEnd(8)} first ${first.toFixed(0)}   p50 ${ms.p50.toFixed(0)} p99 ${ms.p99.toFixed(0)}`,
    ),
    `  loaded in ${loadSeconds.toFixed(0)} s`,
  ];
}

function dataLines({ small, big, loadSeconds, calls }: DataResult): string[] {
  const ms = ({ p50, p99 }: Spread): string =>
    `p50 ${p50.toFixed(0).padStart(4)} p99 ${p99.toFixed(0).padStart(4)}`;
  const width = Math.max(...calls.map(({ what }) => what.length));
  return [
    '',
    `Much data, ms (the whole call; ${figure(small)} and ${figure(big)} conversations, ${figure(messagesOf(big))} messages)`,
    ...calls.map(
      ({ what, small: little, big: much }) =>
        `  ${what.padEnd(width)}  ${ms(little)}   ${ms(much)}   p50 × ${(much.p50 / little.p50).toFixed(2)}${much.wrong === 0 ? '' : `   ${much.wrong} wrong`}`,
    ),
    `  loaded in ${loadSeconds.toFixed(0)} s`,
  ];
}

function figure(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '?';
}
