import { createHash } from 'node:crypto';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ErrorCode, isRetryable } from '../calls/errorCodes.ts';
import { errors, Refusal } from '../calls/errors.ts';
import { calls } from '../calls/http.ts';
import * as down from './down.ts';
import { StaffDown } from './staffDown.ts';
import { FRAME_MAX_BYTES, Up } from './up.ts';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from './version.ts';

/** The wire format when this version was last settled. */
const SETTLED = { version: 1, hash: '1272200ac1c0a0f0' };

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

function wire(up: v.GenericSchema = Up) {
  return {
    up: schema(up),
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
    calls: Object.entries(calls).map(([name, { method, path, auth, body, query, answer }]) => ({
      name,
      method,
      path,
      auth,
      body: schema(body),
      query: schema(query),
      answer: schema(answer),
    })),
  };
}

test('the wire is the one this version was settled with', () => {
  expect({ version: PROTOCOL_VERSION, hash: hash(wire()) }, WHAT_TO_DO).toEqual(SETTLED);
});

test('the floor is not above the version', () => {
  expect(PROTOCOL_FLOOR).toBeLessThanOrEqual(PROTOCOL_VERSION);
});

test('a changed field changes the hash, and the order of fields does not', () => {
  const send = (entries: v.ObjectEntries) => hash(wire(v.strictObject(entries)));
  const type = v.literal('send');
  const before = send({ type, text: v.string(), id: v.string() });
  expect(send({ id: v.string(), type, text: v.string() })).toBe(before);
  expect(send({ type, text: v.string(), id: v.number() })).not.toBe(before);
  expect(send({ type, text: v.optional(v.string()), id: v.string() })).not.toBe(before);
  expect(send({ type, text: v.pipe(v.string(), v.maxLength(5)), id: v.string() })).not.toBe(before);
});

test('every schema that crosses the wire has a JSON schema that says something', () => {
  const { up, visitorDown, staffDown, calls: described } = wire();
  for (const each of [up, visitorDown, staffDown, ...described.map(({ answer }) => answer)]) {
    expect(Object.keys(each as object)).toEqual(
      expect.arrayContaining([expect.stringMatching(/anyOf|oneOf|properties/)]),
    );
  }
});
