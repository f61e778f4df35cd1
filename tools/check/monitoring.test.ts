// The dashboard and the alert rules must use metrics that the processes expose, and every alert needs a runbook.
import { readFileSync } from 'node:fs';
import { MAIL_KINDS, MAIL_OUTCOMES } from '@settee/protocol/model/mail';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { prometheusMetrics } from '../../server/testing/installation.ts';
import { closedReasons, taskNames } from '../../server/testing/rules.ts';

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; runbook: string };
};
type Panel = { title: string; targets?: { expr: string }[] };
type Sample = { name: string; labels: Record<string, string> };

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { groups } = parse(read('ops/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('ops/grafana/settee.json')) as { panels: Panel[] };
const scrape = parse(read('ops/prometheus/prometheus.yaml')) as {
  rule_files: string[];
  scrape_configs: { job_name: string }[];
};
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gim)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ),
  }));
}

/** Everything that a process can expose. */
async function allSamples(): Promise<Sample[]> {
  const metrics = prometheusMetrics();
  for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) metrics.sent(outcome, 0.1);
  metrics.received(0.1);
  metrics.appended(1, 0.1);
  metrics.unconfirmed(1);
  for (const direction of ['in', 'out'] as const) metrics.hint(direction);
  for (const kind of ['visitor', 'handler', 'admin'] as const) metrics.socketOpened(kind);
  for (const reason of closedReasons) metrics.socketClosed(undefined, reason);
  for (const what of ['message', 'change', 'erased', 'note', 'queue_row'] as const) metrics.swept(what, 1);
  for (const result of ['sent', 'gone', 'retried', 'given_up'] as const) metrics.push(result);
  for (const kind of MAIL_KINDS) for (const outcome of MAIL_OUTCOMES) metrics.mail(kind, outcome);
  for (const result of ['done', 'failed', 'given_up'] as const)
    for (const task of taskNames) metrics.job(task, result, 0.1);
  for (const status of [200, 404, 503]) metrics.http('sendMessage', status, 0.1);
  metrics.watchBus(() => true);
  metrics.watchConnections(() => ({ idle: 1, busy: 1, waiting: 0 }));
  const jobs = [{ task: 'push', waiting: 1, lagSeconds: 1 }];
  const backlog = { conversations: 1, longestWaitSeconds: 1, jobs, webhookLagSeconds: 1, backupAt: 1 };
  const exposed = samplesOf(await metrics.text(backlog));
  // Prometheus adds `up`, and `job` and `instance` to every series.
  const added = scrape.scrape_configs.map(({ job_name: job }) => ({ job, instance: '' }));
  return [{ name: 'up', labels: {} }, ...exposed].flatMap(({ name, labels }) =>
    added.map((more) => ({ name, labels: { ...labels, ...more } })),
  );
}

/** The problems of a query: unknown metrics, and labels or values that no sample has. tools/ops checks its syntax. */
function problemsOf(expr: string, samples: Sample[]): string[] {
  const selectors = [...expr.matchAll(/\b(settee_\w+|process_\w+|nodejs_\w+|up)\b(?:\{([^}]*)\})?/g)];
  const found = selectors.flatMap(([, name = '', matchers = '']) => {
    const series = samples.filter((sample) => sample.name === name);
    if (series.length === 0) return [`no metric ${name}`];
    return [...matchers.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g)].flatMap(
      ([, label = '', operator = '', value = '']) => {
        const values = series.map(({ labels }) => labels[label]).filter((each) => each !== undefined);
        if (values.length === 0) return [`${name} has no label ${label}`];
        const matches =
          operator === '=~'
            ? (each: string) => new RegExp(`^(?:${value})$`).test(each)
            : (each: string) => each === value;
        return operator.startsWith('!') || values.some(matches) ? [] : [`no ${label} of ${name} is ${value}`];
      },
    );
  });
  const names = new Set(selectors.map(([, name]) => name));
  const known = new Set(
    samples.filter(({ name }) => names.has(name)).flatMap(({ labels }) => Object.keys(labels)),
  );
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return [...found, ...grouped.filter((label) => !known.has(label)).map((label) => `no label ${label}`)];
}

test('every query of the dashboard and the alerts is about exposed metrics', async () => {
  const samples = await allSamples();
  expect(queries.length).toBeGreaterThan(30);
  const problems = queries.flatMap(([where, expr]) =>
    problemsOf(expr.replaceAll('$__rate_interval', '5m'), samples).map((problem) => `${where}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test('counters in alerts exist from the start, so that the first increase is noticed', async () => {
  const initial = samplesOf(await prometheusMetrics().text(undefined));
  const counters = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/increase\((\w+)(?:\{([^}]+)\})?\[/g)].map(([, name, matchers = '']) => ({
      alert,
      name,
      wanted: [...matchers.matchAll(/(\w+)=~?"([^"]+)"/g)].flatMap(([, label = '', values = '']) =>
        values.split('|').map((value) => ({ [label]: value })),
      ),
    })),
  );
  const alerts = [
    ...['SetteeSendsUnconfirmed', 'SetteeHintsLost', 'SetteeJobsGivenUp'],
    'SetteePasswordLinksNotSent',
  ];
  expect(counters.map(({ alert }) => alert)).toEqual(alerts);
  for (const { alert, name, wanted } of counters) {
    const labels = initial.filter((sample) => sample.name === name).map((sample) => sample.labels);
    if (wanted.length === 0) expect(labels, alert).toHaveLength(1);
    for (const each of wanted) expect(labels, alert).toContainEqual(expect.objectContaining(each));
  }
  const givenUp = initial.filter(
    ({ name, labels }) => name === 'settee_jobs_total' && labels.result === 'given_up',
  );
  expect(givenUp.map(({ labels }) => labels.task)).toEqual([...taskNames]);
});

test('the dashboard or an alert uses every metric of ours', async () => {
  const all = queries.map(([, expr]) => expr).join('\n');
  const names = (await allSamples()).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect([...new Set(names)].filter((name) => name.startsWith('settee_') && !all.includes(name))).toEqual([]);
});

test('every alert has a severity, a summary, an action and a runbook', () => {
  const headings = [...read('docs/troubleshooting.md').matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect(rules.map(({ alert }) => alert)).toEqual(headings);
  for (const { alert, labels, annotations, for: duration } of rules) {
    expect(labels.severity).toMatch(/^(?:critical|warning)$/);
    expect(duration).toMatch(/^[0-9]+[mh]$/);
    expect(annotations.summary.length * annotations.action.length).toBeGreaterThan(0);
    expect(annotations.runbook).toBe(`docs/troubleshooting.md#${alert.toLowerCase()}`);
  }
  expect(scrape.rule_files).toEqual(['alerts.yaml']);
});
