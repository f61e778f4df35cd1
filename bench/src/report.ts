import type { Bare } from './append.ts';
import type { BackupResult } from './backup.ts';
import type { DashboardResult } from './dashboard.ts';
import { type DataResult, messagesOf } from './data.ts';
import type { MemoryResult, PerSocket } from './memory.ts';
import type { Opening, OpenResult } from './open.ts';
import type { Overload } from './overload.ts';
import type { PathResult, PathStep } from './path.ts';
import type { Spread } from './percentile.ts';
import type { StorageResult } from './storage.ts';

export type Machine = { cores: number; processor: string; memoryGb: number; node: string; postgres: string };

export type Results = {
  machine: Machine;
  quick: boolean;
  /** Before and after measuring the path. Their difference shows how quiet the machine was. */
  bare?: Bare[];
  path?: PathResult;
  overload?: Overload;
  memory?: MemoryResult;
  storage?: StorageResult;
  open?: OpenResult;
  dashboard?: DashboardResult;
  data?: DataResult;
  backup?: BackupResult;
  notes: string[];
};

export type Verdict = { what: string; value: number; limit: string; met: boolean };

const APPEND_MIN = 1;
const MEMORY_MAX = 2;
const OPEN_MAX = 1.5;
const DASHBOARD_MAX_MS = 300;
const DATA_MAX_MS = 200;
/** Ten times the history may take this many times as long. */
const DATA_GROWTH_MAX = 1.5;
const GOODPUT_MIN = 0.9;
const OVERLOAD_MAX_MS = 1_000;
const RECOVERED_MAX_SECONDS = 5;

/** Ratios within the run, so that the result does not depend on the machine. */
export function evaluate({ bare, path, overload, memory, open, dashboard, data }: Results): Verdict[] {
  const verdicts: Verdict[] = [];
  if (bare !== undefined && path !== undefined) {
    const value = path.best / meanOf(bare, 'singly');
    verdicts.push({
      what: 'whole path / PostgreSQL alone, one message a commit',
      value,
      limit: `≥ ${APPEND_MIN.toFixed(1)}`,
      met: value >= APPEND_MIN,
    });
  }
  if (path !== undefined) {
    const value = path.faults.length;
    verdicts.push({
      what: 'messages lost, duplicated or out of order',
      value,
      limit: '= 0',
      met: value === 0,
    });
  }
  if (overload !== undefined) verdicts.push(...overloadVerdicts(overload));
  if (memory !== undefined)
    verdicts.push(atMost('memory of an idle socket / bare ws', memory.ratio, MEMORY_MAX));
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

function atMost(what: string, value: number, limit: number): Verdict {
  return { what, value, limit: `≤ ${limit.toFixed(1)}`, met: value <= limit };
}

export function meanOf(bare: Bare[], what: keyof Bare): number {
  return bare.reduce((sum, each) => sum + each[what], 0) / bare.length;
}

export function report(results: Results): string {
  const { machine, bare, path, overload, memory, storage, open, dashboard, data, backup, notes } = results;
  return [
    `${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB; Node ${machine.node}; PostgreSQL ${machine.postgres}, fsync on`,
    ...(bare === undefined ? [] : bareLines(bare)),
    ...(path === undefined ? [] : pathLines(path, bare)),
    ...(overload === undefined ? [] : overloadLines(overload)),
    ...(memory === undefined ? [] : memoryLines(memory)),
    ...(storage === undefined ? [] : storageLines(storage)),
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

function bareLines(bare: Bare[]): string[] {
  const line = (label: string, what: keyof Bare): string =>
    `  ${label}  ${figure(meanOf(bare, what))} messages a second (${bare.map((each) => figure(each[what])).join(', ')})`;
  return [
    '',
    'PostgreSQL alone (pgbench)',
    line('a  one message a commit, 8 clients  ', 'singly'),
    line('b  64 messages a call, 2 clients    ', 'batched'),
  ];
}

function pathLines(path: PathResult, bare: Bare[] | undefined): string[] {
  const ratio = (what: keyof Bare): string =>
    bare === undefined ? '?' : (path.best / meanOf(bare, what)).toFixed(2);
  return [
    '',
    'The whole path: socket, batch, commit, NATS, the other side’s socket',
    stepHead,
    ...path.steps.map(stepLine),
    `  c  best sustained rate: ${figure(path.best)} a second   c/a ${ratio('singly')}   c/b ${ratio('batched')}`,
    ...path.faults.map((fault) => `  FAULT ${fault}`),
  ];
}

export const stepHead = [
  '   asked    got  ok | receipt p50    p99 | ack p50     p99 | generator late p99 |',
  'µs a message: gateway postgres  nats generator | batch',
].join(' ');

export function stepLine(step: PathStep): string {
  const { asked, rate, sustained, receipt, ack, late, cpu, batch } = step;
  const ms = (value: number, width: number): string => value.toFixed(1).padStart(width);
  const us = (value: number, width: number): string => value.toFixed(0).padStart(width);
  return [
    `${us(asked, 8)} ${us(rate, 6)} ${sustained ? 'yes' : ' no'} |`,
    `${ms(receipt.p50, 11)} ${ms(receipt.p99, 6)} |${ms(ack.p50, 8)} ${ms(ack.p99, 7)} |${ms(late.p99, 19)} |`,
    `${us(cpu.gateway, 21)} ${us(cpu.postgres, 8)} ${us(cpu.nats, 5)} ${us(cpu.generator, 9)} |${ms(batch, 6)}`,
  ].join(' ');
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
