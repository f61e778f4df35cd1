import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, isRetryable } from '../model/errorCodes.ts';
import { errors } from './errors.ts';

const DOC = join(import.meta.dirname, '../../../docs/protocol.md');

/** The rows under `| code | status | retryable | text |`. */
function documented(markdown: string): string[][] {
  const lines = markdown.split('\n');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  const head = lines.findIndex((line) => cells(line).join() === 'code,status,retryable,text');
  if (head === -1) return [];
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? undefined : end).map(cells);
}

test('docs/protocol.md lists every error, and only these', () => {
  const catalogue = Object.entries(errors).map(([code, { status, text }]) => [
    code,
    String(status),
    isRetryable(code as ErrorCode) ? 'yes' : 'no',
    text,
  ]);
  expect(documented(readFileSync(DOC, 'utf8'))).toEqual(catalogue);
});

test('what may succeed later says so by its status too', () => {
  for (const [code, { status }] of Object.entries(errors)) {
    const retryable = status === 429 || status >= 500;
    expect({ code, retryable: isRetryable(code as ErrorCode) }).toEqual({ code, retryable });
  }
});
