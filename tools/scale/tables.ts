// The figures of docs/scale.md: measured ones, and what follows from them.
import type { PathStep } from '../../bench/src/path.ts';
import type { Results } from '../../bench/src/report.ts';

type Measured = Required<Pick<Results, 'bare' | 'path' | 'memory' | 'storage' | 'open'>>;

/** What a reader's own prices and people take the place of. */
const ASSUMED = {
  /** Dollars; ordinary list prices of 2026, rounded up. */
  coreHour: 0.03,
  diskGbMonth: 0.1,
  archiveGbMonth: 0.02,
  /** Messages that both sides of a conversation in full swing send together in a minute. */
  perMinute: 4,
};
const SECONDS_PER_HOUR = 3_600;
const BACKUPS_KEPT_DAYS = 30;

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const n = (value: number): string => NUMBER.format(value);
/** Two figures that count: more would pretend to know. */
const about = (value: number): string => n(Number(value.toPrecision(2)));
const dollars = (value: number): string => `$${value.toPrecision(2)}`;

/** Puts each table between `<!-- name -->` and `<!-- /name -->`. */
export function fillTables(page: string, results: Results): string {
  const measured = results as Measured;
  let filled = page;
  for (const [name, lines] of Object.entries(tables(measured))) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!place.test(filled)) throw new Error(`docs/scale.md has no place for ${name}`);
    filled = filled.replace(
      place,
      (_all, begin: string, end: string) => `${begin}\n${lines.join('\n')}\n\n${end}`,
    );
  }
  return filled;
}

function tables(measured: Measured): Record<string, string[]> {
  const { bare, memory, storage, open } = measured;
  const full = fullStep(measured);
  const calm = measured.path.steps[0] as PathStep;
  const mean = (what: 'singly' | 'batched') => bare.reduce((sum, each) => sum + each[what], 0) / bare.length;
  const perMessage = full.cpu.gateway + full.cpu.postgres + full.cpu.nats;
  const perCore = 1e6 / perMessage;
  return {
    measured: [
      '| what | figure |',
      '| --- | --- |',
      `| the whole path, most that it sustained | ${n(full.rate)} messages a second; p99 from send to the other side's receipt ${n(full.receipt.p99)} ms |`,
      `| a calm hour: ${n(calm.asked)} a second | p50 ${n(calm.receipt.p50)} ms, p99 ${n(calm.receipt.p99)} ms |`,
      `| processor time a message at that most | gateway ${n(full.cpu.gateway)} µs, PostgreSQL ${n(full.cpu.postgres)} µs, NATS ${n(full.cpu.nats)} µs |`,
      `| the same at ${n(calm.asked)} a second, in small batches | gateway ${n(calm.cpu.gateway)} µs, PostgreSQL ${n(calm.cpu.postgres)} µs, NATS ${n(calm.cpu.nats)} µs |`,
      `| PostgreSQL alone, one message a commit / 64 a call | ${n(mean('singly'))} / ${n(mean('batched'))} messages a second |`,
      `| memory of an idle socket that watches a conversation | ${n(memory.product.rss)} bytes |`,
      `| a message of ${n(storage.text)} bytes of text, on the disk | ${n(storage.stored)} bytes with its indexes, ${n(storage.searched)} in the search index, ${n(storage.logged)} of log (WAL) |`,
      `| a conversation with its invite and device, without messages | ${n(storage.conversation)} bytes |`,
      `| opening a conversation among ${n(open.big)} messages | p50 ${open.withBig.socket.p50.toFixed(1)} ms, ${open.ratio.socket.toFixed(2)} × as long as among ${n(open.small)} |`,
    ],
    arithmetic: [
      '| question | sum | answer |',
      '| --- | --- | --- |',
      `| messages a second and core, busy | 1,000,000 ÷ (${n(full.cpu.gateway)} + ${n(full.cpu.postgres)} + ${n(full.cpu.nats)}) µs | about ${about(perCore)} |`,
      `| conversations in full swing on that core, ${ASSUMED.perMinute} messages a minute each | ${about(perCore)} × 60 ÷ ${ASSUMED.perMinute} | about ${about((perCore * 60) / ASSUMED.perMinute)} |`,
      `| idle sockets in a gigabyte | 1,073,741,824 ÷ ${n(memory.product.rss)} | about ${about(2 ** 30 / memory.product.rss)} |`,
      `| gigabytes on the disk for a million messages | (${n(storage.stored)} + ${n(storage.searched)}) × 1,000,000 | about ${gigabytes(diskBytes(measured))} |`,
      `| gigabytes of log for a million messages | ${n(storage.logged)} × 1,000,000 | about ${gigabytes(storage.logged * 1e6)} |`,
    ],
    cost: [
      '| for a million messages | sum | dollars |',
      '| --- | --- | --- |',
      ...costs(measured, perMessage),
    ],
  };
}

function costs(measured: Measured, perMessage: number): string[] {
  const { coreHour, diskGbMonth, archiveGbMonth } = ASSUMED;
  const hours = perMessage / SECONDS_PER_HOUR;
  const disk = diskBytes(measured) / 1e9;
  const log = (measured.storage.logged * 1e6) / 1e9;
  return [
    `| processors, once | ${n(perMessage)} µs × 1,000,000 = ${hours.toFixed(3)} core hours × ${dollars(coreHour)} | ${dollars(hours * coreHour)} |`,
    `| disk, each month | ${disk.toFixed(2)} GB × ${dollars(diskGbMonth)} | ${dollars(disk * diskGbMonth)} |`,
    `| archived log, kept ${BACKUPS_KEPT_DAYS} days | ${log.toFixed(2)} GB × ${dollars(archiveGbMonth)} | ${dollars(log * archiveGbMonth)} |`,
  ];
}

/** The highest rate that was kept up, at which batches are as large as they get in practice. */
function fullStep({ path }: Measured): PathStep {
  const sustained = path.steps.filter(({ sustained: kept }) => kept);
  const best = sustained.reduce((most, step) => (step.rate > most.rate ? step : most));
  return best;
}

function diskBytes({ storage }: Measured): number {
  return (storage.stored + storage.searched) * 1e6;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toPrecision(2)} GB`;
}
