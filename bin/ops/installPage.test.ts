// What the pages tell an operator to type must fit what ops/ brings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caddy } from './programs.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test('[OPEN-315] the oldest Caddy that the guide allows is the oldest that knows the Caddyfile', () => {
  const [, named] = /Caddy (\d+\.\d+) or newer/.exec(read('docs/install.md')) ?? [];
  expect(named).toBe(caddy.atLeast.join('.'));
});
