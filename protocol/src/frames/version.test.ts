import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Call } from '../calls/call.ts';
import { errors, Refusal } from '../calls/errors.ts';
import { calls } from '../calls/http.ts';
import { ErrorCode, isRetryable } from '../model/errorCodes.ts';
import * as down from './down.ts';
import { StaffDown } from './staffDown.ts';
import { FRAME_MAX_BYTES, Up } from './up.ts';
import { PROTOCOL_VERSION } from './version.ts';

/** The wire format when this version was last settled. */
const SETTLED = { version: 1, hash: '21d17b28c26eaa2e' };

const WHAT_TO_DO = `
The wire changed: a frame, a call, a close code or an error is not what it was.
  Could a page or a server of the previous release misread it (a field gone, renamed, or newly required;
  a new kind of frame that must not be ignored)? Raise PROTOCOL_VERSION in protocol/src/frames/version.ts, with
  its line, and the floor too if the older page must be turned away.
  Is it an addition that the other side may ignore? The version stays.
Then write the new hash and version into SETTLED in protocol/src/frames/version.test.ts.`;

/** Transforms and checks have no JSON schema. They are tested beside their schemas. */
function schema(of: v.GenericSchema | undefined): unknown {
  return of && toJsonSchema(of, { errorMode: 'ignore' });
}

/** The order of fields has no meaning on the wire, so it must not change the hash. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? value.toSorted() : value.map(canonical);
  }
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, item]) => [key, canonical(item)]));
}

function hash(wire: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(wire)))
    .digest('hex')
    .slice(0, 16);
}

function wire() {
  return {
    up: schema(Up),
    visitorDown: schema(down.VisitorDown),
    staffDown: schema(StaffDown),
    frameMaxBytes: FRAME_MAX_BYTES,
    closeReason: schema(down.CloseReason),
    closeCodes: Object.entries(down).filter(([name]) => name.startsWith('CLOSE_')),
    errors: Object.entries(errors).map(([code, { status }]) => ({
      code,
      status,
      retryable: isRetryable(code as ErrorCode),
    })),
    errorCode: schema(ErrorCode),
    refusal: schema(Refusal),
    calls: Object.fromEntries(
      Object.entries<Call>(calls).map(([name, { method, path, auth, body, query, answer }]) => [
        name,
        { method, path, auth, body: schema(body), query: schema(query), answer: schema(answer) },
      ]),
    ),
  };
}

test('the wire is the one this version was settled with', () => {
  expect({ version: PROTOCOL_VERSION, hash: hash(wire()) }, WHAT_TO_DO).toEqual(SETTLED);
});

test('every schema that crosses the wire has a JSON schema that says something', () => {
  const { up, visitorDown, staffDown, calls: described } = wire();
  for (const each of [up, visitorDown, staffDown, ...Object.values(described).map(({ answer }) => answer)]) {
    expect(Object.keys(each as object)).toEqual(
      expect.arrayContaining([expect.stringMatching(/anyOf|oneOf|properties/)]),
    );
  }
});

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
