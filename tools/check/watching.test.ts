// The dashboard and the alert rules ask only for what a process really tells, and each alert has its page.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { taskNames } from '../../server/src/metrics/metrics.ts';
import { exposedMetrics, toldFromTheStart } from './exposedMetrics.ts';
import { readPromQl } from './promQl.ts';

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; runbook: string };
};
type Panel = { title: string; type: string; targets?: { expr: string }[] };

const rules = (parse(read('ops/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read('ops/grafana/settee.json')) as { panels: Panel[] };
const scrape = parse(read('ops/prometheus/prometheus.yaml')) as {
  rule_files: string[];
  scrape_configs: { job_name: string }[];
};

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

const asked = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

test('[OPEN-240] every question of the dashboard and the alerts is PromQL about what is told', async () => {
  const exposed = await exposedMetrics(scrape.scrape_configs.map(({ job_name }) => job_name));
  expect(asked.length).toBeGreaterThan(30);
  const problems = asked.flatMap(([where, expr]) =>
    readPromQl(expr.replaceAll('$__rate_interval', '5m'), exposed).map((problem) => `${where}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test('[OPEN-310] what an alert counts is told from the start, so that the first time counts too', async () => {
  const counted = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/increase\((?<name>\w+)(?:\{(?<label>\w+)=~?"(?<values>[^"]+)"\})?\[/g)].map(
      ({ groups }) =>
        ({ alert, ...groups }) as { alert: string; name: string; label?: string; values?: string },
    ),
  );
  expect(counted.map(({ alert }) => alert)).toEqual([
    'SetteeSendsUnconfirmed',
    'SetteeHintsLost',
    'SetteeJobsGivenUp',
  ]);
  for (const { alert, name, label, values } of counted) {
    const told = await toldFromTheStart(name);
    if (label === undefined) expect(told, alert).toHaveLength(1);
    for (const value of values?.split('|') ?? [])
      expect(told, alert).toContainEqual(expect.objectContaining({ [label ?? '']: value }));
  }
  const givenUp = (await toldFromTheStart('settee_jobs_total')).filter(({ result }) => result === 'given_up');
  expect(givenUp.map(({ task }) => task)).toEqual([...taskNames]);
});

test('what is not told, not a label or not PromQL is found', async () => {
  const exposed = await exposedMetrics(['settee-gateway']);
  expect(readPromQl('sum(settee_sockets', exposed)).toEqual(['not PromQL']);
  expect(readPromQl('settee_nothing', exposed)).toEqual(['no metric settee_nothing']);
  expect(readPromQl('settee_sockets{colour="red"}', exposed)).toEqual(['settee_sockets has no label colour']);
  expect(readPromQl('settee_sockets{kind="robot"}', exposed)).toEqual(['no kind of settee_sockets is robot']);
  expect(readPromQl('sum by (colour) (settee_sockets)', exposed)).toEqual(['nothing has a label colour']);
  expect(readPromQl('up{job="other"}', exposed)).toEqual(['no job of up is other']);
  expect(readPromQl('max by (kind) (settee_sockets{kind=~"v.*"})', exposed)).toEqual([]);
});

test('every metric of ours is asked for somewhere', async () => {
  const exposed = await exposedMetrics([]);
  const all = asked.map(([, expr]) => expr).join('\n');
  const families = [...exposed.keys()].filter((name) => name.startsWith('settee_'));
  const unused = new Set(families.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
  for (const name of unused) if (all.includes(name)) unused.delete(name);
  expect([...unused]).toEqual([]);
});

test('[OPEN-240] every alert says how urgent it is, what happened, what to do, and where to read on', () => {
  const headings = [...read('docs/alerts.md').matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect(rules.map(({ alert }) => alert)).toEqual(headings);
  for (const { alert, labels, annotations, for: lasting } of rules) {
    expect(labels.severity).toMatch(/^(?:critical|warning)$/);
    expect(lasting).toMatch(/^[0-9]+[mh]$/);
    expect(annotations.summary.length * annotations.action.length).toBeGreaterThan(0);
    expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
  }
  expect(scrape.rule_files).toEqual(['alerts.yaml']);
});

test('the dashboard has a row for each question, and a place of its own for each panel', () => {
  const titles = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(titles).toEqual(['Is anyone waiting?', 'Is anything lost?', 'What is slow?', 'Machine']);
  const places = panels.map((panel) => JSON.stringify((panel as Panel & { gridPos: object }).gridPos));
  expect(new Set(places).size).toBe(panels.length);
});
