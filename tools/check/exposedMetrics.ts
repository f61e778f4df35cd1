// What a process of ours tells at /metrics, once everything that can be counted has been counted.
import { prometheusMetrics } from '../../server/src/adapters/prometheus.ts';
import { closedReasons, type Metrics, taskNames } from '../../server/src/metrics/metrics.ts';

/** By name of the label: the values that are told. */
export type Labels = ReadonlyMap<string, ReadonlySet<string>>;

const SAMPLE = /^(?<name>[a-z_][a-z0-9_]*)(?:\{(?<labels>.*)\})? \S+$/i;
const LABEL = /(?<label>[a-z_]+)="(?<value>[^"]*)"/g;

/** By name of the series, as Prometheus knows it; it adds `up`, and `job` and `instance` to everything. */
export async function exposedMetrics(jobs: readonly string[]): Promise<ReadonlyMap<string, Labels>> {
  const series = new Map<string, Map<string, Set<string>>>();
  const note = (name: string): Map<string, Set<string>> => {
    const labels = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, labels);
    labels.set('job', new Set(jobs));
    labels.set('instance', new Set());
    return labels;
  };
  note('up');
  for (const { name, labels } of samples(await everythingTold())) {
    const noted = note(name);
    for (const [label, value] of labels) noted.set(label, (noted.get(label) ?? new Set()).add(value));
  }
  return series;
}

/** The series of this name that a process tells before anything happened, as their labels. */
export async function toldFromTheStart(name: string): Promise<Record<string, string>[]> {
  const all = samples(await prometheusMetrics().text(undefined));
  return all.filter((each) => each.name === name).map(({ labels }) => Object.fromEntries(labels));
}

type Sample = { name: string; labels: [label: string, value: string][] };

function samples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const { name, labels = '' } = SAMPLE.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    const pairs = Array.from(labels.matchAll(LABEL), ({ groups }): [string, string] => [
      groups?.label ?? '',
      groups?.value ?? '',
    ]);
    return [{ name, labels: pairs }];
  });
}

async function everythingTold(): Promise<string> {
  const metrics = prometheusMetrics();
  countEverything(metrics);
  const jobs = [{ task: 'push', waiting: 1, lagSeconds: 1 }];
  return await metrics.text({ conversations: 1, longestWaitSeconds: 1, jobs });
}

function countEverything(metrics: Metrics): void {
  for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) metrics.sent(outcome, 0.1);
  metrics.received(0.1);
  metrics.appended(1, 0.1);
  metrics.unconfirmed(1);
  for (const direction of ['in', 'out'] as const) metrics.hint(direction);
  for (const kind of ['visitor', 'handler', 'admin'] as const) metrics.socketOpened(kind);
  for (const reason of closedReasons) metrics.socketClosed(undefined, reason);
  for (const what of ['message', 'change', 'erased', 'note', 'queue_row'] as const) metrics.swept(what, 1);
  for (const result of ['sent', 'gone', 'retried', 'given_up'] as const) metrics.push(result);
  for (const task of taskNames) {
    for (const result of ['done', 'failed', 'given_up'] as const) metrics.job(task, result, 0.1);
  }
  for (const status of [200, 404, 503]) metrics.http('sendMessage', status, 0.1);
  metrics.watchBus(() => true);
  metrics.watchConnections(() => ({ idle: 1, busy: 1, waiting: 0 }));
}
