import type { BackupResult } from './backup.ts';
import type { DashboardResult } from './dashboard.ts';
import type { DataResult } from './data.ts';
import { MESSAGES_EACH } from './dataSeed.ts';
import type { GatewaysCpu, GatewaysResult } from './gateways.ts';
import type { HoldResult, MemoryResult, PerSocket } from './memory.ts';
import type { Opening, OpenResult } from './open.ts';
import type { Overload } from './overload.ts';
import { faultsOf, type PathStep, sustainedRate } from './path.ts';
import { median, type Spread } from './percentile.ts';
import type { StorageResult, WalResult } from './storage.ts';
import type { Round } from './throughput.ts';

/** What each part measured. */
export type Measured = {
  /** One entry per round, in the order in which they were measured. */
  rounds: Round[];
  gateways: GatewaysResult;
  overload: Overload;
  memory: MemoryResult;
  hold: HoldResult;
  storage: StorageResult;
  wal: WalResult;
  open: OpenResult;
  dashboard: DashboardResult;
  data: DataResult;
  backup: BackupResult;
};

export type Results = Partial<Measured> & {
  measuredOn: string;
  machine: { cores: number; processor: string; memoryGb: number; node: string; postgres: string };
  quick: boolean;
  notes: string[];
};

export type Verdict = { what: string; value: number; limit: string; met: boolean };

/** How a part is printed: a heading, then its lines. And its limits. */
type Part<Result> = {
  lines: (result: Result) => [heading: string, ...lines: string[]];
  /** Ratios within the run where possible, so that the result does not depend on the machine. */
  verdicts?: (result: Result) => Verdict[];
};

const atMost = (what: string, value: number, limit: number): Verdict => ({
  what,
  value,
  limit: `≤ ${limit}`,
  met: value <= limit,
});
const atLeast = (what: string, value: number, limit: number): Verdict => ({
  what,
  value,
  limit: `≥ ${limit}`,
  met: value >= limit,
});
const none = (what: string, value: number): Verdict => ({ what, value, limit: '= 0', met: value === 0 });

type Of = (round: Round) => number | undefined;

const ratioA: Of = ({ bare }) => over(bare?.a.rate, bare?.a0.rate);
const ratioC: Of = ({ bare, path }) => over(bestRate(path?.best), bare?.b0.rate);
const ratioCpu: Of = ({ bare, path }) => over(path?.best?.cpu.postgres, bare?.b0.cpu);
const calmRatio =
  (p: keyof Spread): Of =>
  ({ calm, commit }) =>
    over(calm?.receipt[p], commit?.[p]);

/** Each ratio is taken within a round. The median of the rounds counts. */
const COMPARED: [what: string, of: Of, judge: typeof atMost, limit: number][] = [
  ['a/a0: append function / minimal statement, one message a commit', ratioA, atLeast, 0.6],
  ['c/b0: whole path / minimal statement with 64 messages', ratioC, atLeast, 0.4],
  ['PostgreSQL µs a message at the best rate / b0', ratioCpu, atMost, 1.5],
  ['at 1,000 a second: receipt p50 / minimal commit', calmRatio('p50'), atMost, 4],
  ['at 1,000 a second: receipt p99 / minimal commit', calmRatio('p99'), atMost, 10],
  ['at 1,000 a second: PostgreSQL µs a message', ({ calm }) => calm?.cpu.postgres, atMost, 250],
];

/** Figures of the rounds. */
const FIGURES: [what: string, name: string, of: Of][] = [
  ['a0', 'minimal statement, one message a commit, 8 clients', ({ bare }) => bare?.a0.rate],
  ['a', 'append function, one message a commit, 8 clients', ({ bare }) => bare?.a.rate],
  ['b0', 'minimal statement, 64 messages a commit, 2 clients', ({ bare }) => bare?.b0.rate],
  ['b', 'append function, 64 messages a commit, 2 clients', ({ bare }) => bare?.b.rate],
  ['c', 'whole product, best sustained rate', ({ path }) => bestRate(path?.best)],
  ['a/a0', '', ratioA],
  ['c/b0', '', ratioC],
];

const TWO_GATEWAYS_MIN = 1.7;

/** In the order of the report. */
const PARTS: { [Name in keyof Measured]: Part<Measured[Name]> } = {
  rounds: {
    lines(all) {
      const of = (digits: number, what: Of): string => medianOf(all, what).toFixed(digits);
      const cpu = (what: Of): string => `${of(0, what)} µs`;
      const latency = (what: (round: Round) => Spread | undefined): string =>
        `p50 ${of(1, (round) => what(round)?.p50)} ms, p99 ${of(1, (round) => what(round)?.p99)} ms`;
      const bare = (['a0', 'a', 'b0', 'b'] as const).map(
        (name) => `${name} ${cpu((each) => each.bare?.[name].cpu)}`,
      );
      return [
        `Messages a second (median of ${all.length} rounds; the rounds; spread)`,
        ...spreadsOf(all).map(({ what, name, values, median: middle, spread }) => {
          const shown = (value: number): string => (middle < 10 ? value.toFixed(2) : figure(value));
          const each = values.map(shown).join(', ');
          return `${what.padEnd(5)} ${shown(middle).padStart(8)}  (${each}; ±${(50 * spread).toFixed(0)} %)  ${name}`;
        }),
        `PostgreSQL a message: ${bare.join(', ')}, c ${cpu(({ path }) => path?.best?.cpu.postgres)}`,
        `gateway a message: at 1,000 a second ${cpu(({ calm }) => calm?.cpu.gateway)}, c ${cpu(({ path }) => path?.best?.cpu.gateway)}`,
        `minimal commit at 1,000 a second: ${latency(({ commit }) => commit)}; PostgreSQL ${cpu(({ commit }) => commit?.cpu)} a message`,
        `whole product at 1,000 a second: ${latency(({ calm }) => calm?.receipt)}; PostgreSQL ${cpu(({ calm }) => calm?.cpu.postgres)} a message`,
        ...[...new Set(all.flatMap(stepsOf).flatMap(faultsOf))].map((fault) => `FAULT ${fault}`),
      ];
    },
    verdicts: (all) => [
      ...COMPARED.flatMap(([what, of, judge, limit]) => {
        const value = medianOf(all, of);
        return Number.isNaN(value) ? [] : [judge(what, value, limit)];
      }),
      ...(all.some(({ path }) => path !== undefined)
        ? [none('messages lost, duplicated or out of order', all.flatMap(stepsOf).flatMap(faultsOf).length)]
        : []),
    ],
  },
  gateways: {
    lines({ cpu, limited, coreShare }) {
      const line = (label: string, { gateway, postgres, nats }: GatewaysCpu['one']): string =>
        `${label.padEnd(40)} gateway ${gateway.toFixed(0)} µs  PostgreSQL ${postgres.toFixed(0)} µs  NATS ${nats.toFixed(0)} µs`;
      return [
        'One gateway, and two on one port (GATEWAYS=2); CPU time a message, all processes of a kind together',
        line(`one, ${figure(cpu.rate)} messages a second`, cpu.one),
        line(`two, ${figure(cpu.rate)} messages a second`, cpu.same),
        line(`two, ${figure(2 * cpu.rate)} messages a second`, cpu.double),
        `the busier of the two has ${(100 * cpu.busier).toFixed(0)} %`,
        ...limited.map(
          ({ one, two }) =>
            `with ${100 * coreShare} % of a core each: one ${figure(one)}, two ${figure(two)} messages a second: ${(two / one).toFixed(2)} ×`,
        ),
      ];
    },
    verdicts({ cpu: { one, double, busier }, limited, coreShare }) {
      // How much more two gateways carry if CPU time limits them: until the busier one has none left.
      const carries = one.gateway / double.gateway / busier;
      const ratio = median(limited.map((each) => each.two / each.one));
      return [
        atLeast('two gateways / one, by CPU time', carries, TWO_GATEWAYS_MIN),
        ...(limited.length === 0
          ? []
          : [
              atLeast(
                `two gateways / one, each with ${100 * coreShare} % of a core`,
                ratio,
                TWO_GATEWAYS_MIN,
              ),
            ]),
      ];
    },
  },
  overload: {
    lines: ({ steps, closed }) => [
      'Overload: pages that send again what was refused',
      ...steps.map(
        ({ rate, goodput, ack, refused, unsent }) =>
          `asked ${figure(rate).padStart(7)}  stored ${figure(goodput).padStart(7)}  ack p50 ${ack.p50.toFixed(0)} p99 ${ack.p99.toFixed(0)} ms  refused ${figure(refused)}  not sent ${figure(unsent)}`,
      ),
      ...[...new Set(closed)].map((why) => `FAULT a socket was closed: ${why}`),
    ],
    verdicts: ({ steps, most, lost, duplicated, outOfOrder, closed }) => [
      ...steps
        .filter(({ factor }) => factor !== 1)
        .flatMap(({ rate, goodput, ack, recovered }) => {
          const asked = `asked for ${figure(rate)} a second`;
          return [
            atLeast(`${asked}: stored, of the maximum`, goodput / most, 0.9),
            atMost(`${asked}: ack p99, ms`, ack.p99, 1_000),
            atMost(`${asked}: seconds until latency was normal`, recovered, 5),
          ];
        }),
      none(
        'under overload: lost, duplicated, out of order, closed sockets',
        lost + duplicated + outOfOrder + closed.length,
      ),
    ],
  },
  memory: {
    lines({ sockets, product, bare }) {
      const line = (label: string, each: PerSocket): string =>
        `${label} RSS ${figure(each.rss)}  (Pss ${figure(each.pss)}; heap ${figure(each.heap)} and external ${figure(each.external)} of it)`;
      return [
        `Bytes per idle, authenticated, watching socket (from ${figure(sockets / 5)} to ${figure(sockets)} sockets, after GC)`,
        line('gateway ', product),
        line('bare ws ', bare),
      ];
    },
    verdicts: ({ ratio }) => [atMost('memory of an idle socket / bare ws', ratio, 1.25)],
  },
  hold: {
    lines({ sockets, gateways: count, seconds, openSeconds, bytesPerSocket, cores }) {
      const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
      return [
        `${figure(sockets)} idle, watching sockets at ${count} gateways for ${seconds} s (opened in ${openSeconds.toFixed(0)} s); none was closed`,
        `memory of the gateways per socket: ${figure(bytesPerSocket.first)} bytes at first, ${figure(bytesPerSocket.last)} at the end`,
        `CPU, of one core: gateways ${percent(cores.gateways)}, PostgreSQL ${percent(cores.postgres)}, NATS ${percent(cores.nats)}`,
      ];
    },
  },
  storage: {
    lines: ({ messages, conversations, text, stored, searched, counted, logged, conversation }) => [
      `Bytes on the disk (${figure(messages)} messages in ${figure(conversations)} conversations, ${figure(text)} bytes of text each)`,
      `a message     row and indexes ${figure(stored)}   search ${figure(searched)}   figures ${figure(counted)}   log (WAL) ${figure(logged)}`,
      `a conversation, its invite and device ${figure(conversation)}`,
    ],
  },
  wal: {
    lines: ({ rate, seconds, messages, bytes, pages }) => [
      `WAL, ${figure(seconds)} s at ${rate} messages a second after a checkpoint`,
      `${figure(messages)} messages   ${figure(bytes)} bytes each   ${pages.toFixed(3)} whole pages each`,
    ],
    verdicts: ({ rate, bytes }) => [atMost(`bytes of WAL per message at ${rate} a second`, bytes, 2_000)],
  },
  open: {
    lines({ small, big, opened, withSmall, withBig, longest, loadSeconds }) {
      const line = (label: string, { socket, http }: Opening): string =>
        `${label.padEnd(38)} socket p50 ${socket.p50.toFixed(2)} p99 ${socket.p99.toFixed(2)}   HTTP p50 ${http.p50.toFixed(2)} p99 ${http.p99.toFixed(2)}`;
      return [
        `Opening a conversation, ms (the newest 50 messages, ${figure(opened)} times, warm)`,
        line(`with ${figure(small)} messages stored`, withSmall),
        line(`with ${figure(big)} messages stored`, withBig),
        line('… the longest conversation of those', longest),
        `loaded in ${loadSeconds.toFixed(0)} s`,
      ];
    },
    verdicts({ small, big, ratio }) {
      const than = `opening with ${figure(big)} messages / with ${figure(small)}`;
      return [atMost(`${than}, socket`, ratio.socket, 1.1), atMost(`${than}, HTTP`, ratio.http, 1.1)];
    },
  },
  dashboard: {
    lines: ({ messages, conversations, loadSeconds, times }) => [
      `The dashboard, ms (the whole call, ${figure(messages)} messages in ${figure(conversations)} conversations)`,
      ...times.map(
        ({ period, first, ms }) =>
          `${period.padEnd(8)} first ${first.toFixed(0)}   p50 ${ms.p50.toFixed(0)} p99 ${ms.p99.toFixed(0)}`,
      ),
      `loaded in ${loadSeconds.toFixed(0)} s`,
    ],
    verdicts: ({ times }) =>
      times.map(({ period, ms }) => atMost(`the dashboard of ${period}, ms, p99`, ms.p99, 300)),
  },
  data: {
    lines({ small, big, loadSeconds, calls }) {
      const ms = ({ p50, p99 }: Spread): string =>
        `p50 ${p50.toFixed(0).padStart(4)} p99 ${p99.toFixed(0).padStart(4)}`;
      const width = Math.max(...calls.map(({ what }) => what.length));
      return [
        `Much data, ms (the whole call; ${figure(small)} and ${figure(big)} conversations, ${figure(big * MESSAGES_EACH)} messages)`,
        ...calls.map(
          ({ what, small: little, big: much }) =>
            `${what.padEnd(width)}  ${ms(little)}   ${ms(much)}   p50 × ${(much.p50 / little.p50).toFixed(2)}${much.wrong === 0 ? '' : `   ${much.wrong} wrong`}`,
        ),
        `loaded in ${loadSeconds.toFixed(0)} s`,
      ];
    },
    // Ten times the history may take 1.5 times as long.
    verdicts: ({ big, calls }) => [
      ...calls.flatMap(({ what, small, big: much }) => [
        atMost(`${what}, ms, p99 with ${figure(big)} conversations`, much.p99, 200),
        atMost(`${what}, growth of p50`, much.p50 / small.p50, 1.5),
      ]),
      none(
        'with much data: incomplete or wrong answers',
        calls.reduce((sum, call) => sum + call.small.wrong + call.big.wrong, 0),
      ),
    ],
  },
  backup: {
    lines({ messages, tableBytes, bytes, ...runs }) {
      const megabytes = (count: number): string => (count / 1_000_000).toFixed(0);
      return [
        `Backup of ${figure(messages)} messages: ${megabytes(tableBytes)} MB in PostgreSQL, ${megabytes(bytes)} MB written`,
        ...Object.entries(runs).map(
          ([name, { seconds, memoryMb }]) =>
            `${name.padEnd(8)} ${seconds.toFixed(1)} s, at most ${memoryMb.toFixed(0)} MB of memory`,
        ),
      ];
    },
  },
};

/** What a function of the measured parts returns, for those that have a result. */
function eachPart<T>(
  measured: Partial<Measured>,
  of: <Result>(part: Part<Result>, result: Result) => T[],
): T[] {
  const ofPart = <Name extends keyof Measured>(name: Name): T[] => {
    const result: Measured[Name] | undefined = measured[name];
    return result === undefined ? [] : of<Measured[Name]>(PARTS[name], result);
  };
  return (Object.keys(PARTS) as (keyof Measured)[]).flatMap((name) => ofPart(name));
}

export function evaluate(results: Results): Verdict[] {
  return eachPart(results, (part, result) => part.verdicts?.(result) ?? []);
}

export function report(results: Results): string {
  const { cores, processor, memoryGb, node, postgres } = results.machine;
  return [
    `${cores} × ${processor}, ${memoryGb} GB; Node ${node}; PostgreSQL ${postgres}, fsync on`,
    ...eachPart(results, (part, result) => {
      const [heading, ...lines] = part.lines(result);
      return ['', heading, ...lines.map((line) => `  ${line}`)];
    }),
    '',
    ...evaluate(results).map(
      ({ what, value, limit, met }) =>
        `${met ? 'met    ' : 'NOT MET'}  ${what}: ${value.toFixed(2)} (${limit})`,
    ),
    ...results.notes.map((note) => `note     ${note}`),
  ].join('\n');
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

function bestRate(best: PathStep | undefined): number | undefined {
  return best === undefined ? undefined : sustainedRate(best);
}

function stepsOf({ calm, path }: Round): PathStep[] {
  return [...(calm === undefined ? [] : [calm]), ...(path?.steps ?? [])];
}

function over(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base;
}

function medianOf(all: Round[], of: Of): number {
  return median(all.flatMap((round) => of(round) ?? []));
}

/** Figures of the rounds, with the difference between the largest and the smallest as a share of the median. */
export function spreadsOf(
  all: Round[],
): { what: string; name: string; values: number[]; median: number; spread: number }[] {
  return FIGURES.flatMap(([what, name, of]) => {
    const values = all.flatMap((round) => of(round) ?? []);
    if (values.length === 0) return [];
    const middle = median(values);
    const spread = (Math.max(...values) - Math.min(...values)) / middle;
    return [{ what, name, values, median: middle, spread }];
  });
}

function figure(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '?';
}
