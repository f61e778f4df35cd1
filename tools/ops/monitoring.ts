import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promtoolProgram } from '../programs.ts';
import type { Tests } from './tests.ts';

type Panel = { targets?: { expr: string }[] };

/** tools/check/monitoring.test.ts compares the metrics with those of the product. */
export async function monitoring(checkout: string, tests: Tests): Promise<void> {
  const promtool = promtoolProgram();
  const folder = mkdtempSync(join(tmpdir(), 'settee-rules-'));
  const check = (file: string) => execFileSync(promtool, ['check', 'rules', file], { stdio: 'pipe' });
  try {
    await tests.run('[OPS-30] promtool accepts the alert rules and every query of the dashboard', () => {
      check(join(checkout, 'ops/prometheus/alerts.yaml'));
      const dashboard = readFileSync(join(checkout, 'ops/grafana/settee.json'), 'utf8');
      const { panels } = JSON.parse(dashboard) as { panels: Panel[] };
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      const rules = queries.map((expr, index) => ({
        record: `query:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      const file = join(folder, 'queries.yaml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      check(file);
      console.log(`  ${queries.length} queries`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
