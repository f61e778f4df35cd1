// CPU time of the metrics per message, on one core: node bench/src/metricsCost.ts
import { prometheusMetrics } from '../../server/src/adapters/prometheus.ts';

const metrics = prometheusMetrics();
const TIMES = 2_000_000;
const TRIES = 7;

/** Nanoseconds of CPU time per call, the best of several runs, because other work disturbs the rest. */
function cost(call: (n: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < TRIES; run += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < TIMES; n += 1) call(n);
    best = Math.min(best, (process.cpuUsage(before).user * 1_000) / TIMES);
  }
  return best;
}

const parts = {
  'sent, with its two looks at the clock': cost(() => {
    const began = performance.now();
    metrics.sent('acknowledged', (performance.now() - began) / 1_000);
  }),
  'received, with one look at the clock': cost((n) =>
    metrics.received((Date.now() % 300) / (1_000 + (n % 7))),
  ),
  'hint out': cost(() => metrics.hint('out')),
  'hint in': cost(() => metrics.hint('in')),
  'its share of a batch of ten': cost((n) => {
    if (n % 10 === 0) metrics.appended(10, 0.004);
  }),
};
for (const [name, ns] of Object.entries(parts)) console.log(`${ns.toFixed(0).padStart(6)} ns  ${name}`);
const sum = Object.values(parts).reduce((all, ns) => all + ns, 0);
console.log(`${sum.toFixed(0).padStart(6)} ns  a message that crosses from one gateway to another`);
