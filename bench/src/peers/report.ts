import { availableParallelism } from 'node:os';
import type { PathStep } from '../path.ts';
import { percentile } from '../percentile.ts';
import type { PeerResult, PeersResult } from './peers.ts';

/** A table in Markdown, for docs/comparison.md. */
export function peersReport({ products, leftOut }: PeersResult): string {
  return [
    '| product | messages a second, sustained | p50 / p99, ms | CPU per message: server + PostgreSQL, µs | generator, of all CPU | idle session |',
    '| --- | --- | --- | --- | --- | --- |',
    ...products.map(row),
    '',
    ...products.flatMap(({ name, faults }) => faults.map((fault) => `FAULT ${name}: ${fault}`)),
    ...leftOut.map(({ name, why }) => `left out: ${name}: ${why}`),
  ].join('\n');
}

function row({ name, version, rounds, idle }: PeerResult): string {
  const median = (of: (step: PathStep) => number): number => percentile(rounds.map(of), 0.5);
  const rates = rounds.map(({ asked, sustained }) => (sustained ? asked : 0));
  const share = median(({ cpu, rate }) => (cpu.generator * rate) / (availableParallelism() * 1_000_000));
  return `| ${[
    `${name} ${version}`,
    `${figure(percentile(rates, 0.5))} (${rates.map(figure).join(', ')})`,
    `${median(({ receipt }) => receipt.p50).toFixed(0)} / ${median(({ receipt }) => receipt.p99).toFixed(0)}`,
    `${figure(median(({ cpu }) => cpu.gateway + cpu.nats))} + ${figure(median(({ cpu }) => cpu.postgres))}`,
    `${(100 * share).toFixed(0)} %`,
    `${(idle.bytes / 1_000).toFixed(1)} kB (${figure(idle.sessions)} sessions)`,
  ].join(' | ')} |`;
}

function figure(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
