import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countFaults } from '../proof/causeFaults.ts';
import { quantile } from '../proof/quantile.ts';
import { indented, table } from '../proof/table.ts';
import { FOLDER } from './folder.ts';
import type { Round } from './run.ts';
import type { Waits } from './waits.ts';

/** The figures of a run, for people and for the page with all proofs. */
export class Report {
  readonly #seed: number;
  readonly #waits: Waits;
  readonly #began = new Date();
  readonly #faults = new Map<string, number>();
  readonly #totals = {
    rounds: 0,
    written: 0,
    acknowledged: 0,
    stored: 0,
    faults: 0,
    pairs: 0,
    loadSeconds: 0,
  };
  readonly #findings = new Map<string, number>();
  #latencies: number[] = [];
  #control: { acknowledged: number; lost: number } | undefined;

  constructor(seed: number, waits: Waits) {
    this.#seed = seed;
    this.#waits = waits;
  }

  take({ verdict, live, records, recorder, loadSeconds }: Round): void {
    const totals = this.#totals;
    totals.rounds += 1;
    totals.written += verdict.attempted;
    totals.acknowledged += verdict.acked;
    totals.stored += verdict.stored;
    totals.faults += countFaults(records);
    totals.pairs += records.filter(({ kinds }) => kinds.length > 1).length;
    totals.loadSeconds += Math.round(loadSeconds);
    for (const kind of records.flatMap(({ kinds }) => kinds))
      this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
    for (const [name, found] of Object.entries({ ...verdict.findings, ...live }))
      this.#findings.set(name, (this.#findings.get(name) ?? 0) + found.length);
    this.#latencies = this.#latencies.concat(recorder.latencies);
  }

  takeControl({ verdict }: Round): void {
    this.#control = { acknowledged: verdict.acked, lost: verdict.findings.lost.length };
  }

  describe(): string {
    const { written, acknowledged, faults, pairs, loadSeconds } = this.#totals;
    const waits = this.#waits
      .summaries()
      .map(({ during, all, pages }) => [
        during,
        String(this.#faults.get(during) ?? ''),
        ...[all.count, all.p50, all.p99, all.max, pages.p50, pages.p99, pages.max].map(String),
      ]);
    const heads = ['written during', 'times', 'messages', 'p50 ms', 'p99', 'max', 'page p50', 'p99', 'max'];
    const latencies = [0.5, 0.99].map((part) => quantile(this.#latencies, part));
    return [
      indented(table([heads, ...waits])),
      `  ${written} messages written, ${acknowledged} acknowledged; ${faults} faults of ${this.#faults.size} kinds, ${pairs} pairs; ${loadSeconds} s; seed ${this.#seed}`,
      `  commit to receipt without faults: p50 ${latencies[0]} ms, p99 ${latencies[1]} ms`,
    ].join('\n');
  }

  write(): void {
    const result = {
      began: this.#began.toISOString(),
      ended: new Date().toISOString(),
      seed: this.#seed,
      ...this.#totals,
      faultsByKind: Object.fromEntries(this.#faults),
      findings: Object.fromEntries(this.#findings),
      sendToAckMs: this.#waits.summaries(),
      commitToReceiptMs: { p50: quantile(this.#latencies, 0.5), p99: quantile(this.#latencies, 0.99) },
      control: this.#control,
    };
    writeFileSync(join(FOLDER, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
  }
}
