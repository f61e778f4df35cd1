// The commands in the guides must match the files of ops/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test('helm waits at least as long as the chart lets a migration run', () => {
  const { migrate } = parse(read('ops/chart/values.yaml')) as { migrate: { activeDeadlineSeconds: number } };
  const places = ['docs/install.md', 'docs/upgrade.md', 'ops/chart/templates/NOTES.txt'];
  for (const place of places) {
    const waits = Array.from(read(place).matchAll(/helm upgrade --timeout (\d+)h/g), ([, hours]) =>
      Number(hours),
    );
    expect(waits.length, place).toBeGreaterThan(0);
    expect(Math.min(...waits) * 3600, place).toBeGreaterThanOrEqual(migrate.activeDeadlineSeconds);
  }
});
