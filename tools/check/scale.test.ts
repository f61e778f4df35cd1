import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Results } from '../../bench/src/report.ts';
import { fillTables } from '../scale/tables.ts';

const root = join(import.meta.dirname, '../..');

test('what docs/scale.md says follows from what was measured', () => {
  const page = readFileSync(join(root, 'docs/scale.md'), 'utf8');
  const measured = JSON.parse(readFileSync(join(root, 'bench/measured.json'), 'utf8')) as Results;
  expect(page).toBe(fillTables(page, measured));
  // Whole runs only: a quick look is no figure.
  expect(measured.quick).toBe(false);
});
