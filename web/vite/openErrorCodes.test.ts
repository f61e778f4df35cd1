import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withAnyCode } from './openErrorCodes.ts';

test('an error code may be any string, and every line keeps its number', () => {
  const table = readFileSync(`${import.meta.dirname}/../../protocol/src/calls/errorCodes.ts`, 'utf8');
  const left = withAnyCode(table);
  expect(table).toContain("'push_refused'");
  expect(left).not.toContain("'push_refused'");
  expect(left).toContain('ErrorCode = v.string()');
  expect(left).toContain("'too_many'");
  expect(left.split('\n')).toHaveLength(table.split('\n').length);
});
