import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firefoxJourneys } from './journeys.ts';

test('[ENGINE-02] every journey that must pass in Firefox is a browser test', () => {
  const folder = join(import.meta.dirname, '../product');
  const titles = readdirSync(folder)
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  expect(firefoxJourneys.filter((id) => !titles.includes(`[${id}]`))).toEqual([]);
});
