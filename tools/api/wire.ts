// The hash of the wire format: it changes with every frame, call, close code and error.
import { createHash } from 'node:crypto';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { Call } from '../../protocol/src/calls/call.ts';
import { errors, Refusal } from '../../protocol/src/calls/errors.ts';
import { calls } from '../../protocol/src/calls/http.ts';
import * as down from '../../protocol/src/frames/down.ts';
import { StaffDown } from '../../protocol/src/frames/staffDown.ts';
import { FRAME_MAX_BYTES, Up } from '../../protocol/src/frames/up.ts';
import { ErrorCode, isRetryable } from '../../protocol/src/model/errorCodes.ts';

export const WIRE_CHANGED = `
The wire format changed: a frame, a call, a close code or an error is not what it was.
  Could a page or a server of the previous release misread it (a field gone, renamed, or newly required;
  a new kind of frame that must not be ignored)? Raise PROTOCOL_VERSION in protocol/src/frames/version.ts, with
  its line, and the floor too if the older page must be turned away.
  Is it an addition that the other side may ignore? The version stays.`;

/** Transforms and checks have no JSON schema. They are tested beside their schemas. */
function schema(of: Parameters<typeof toJsonSchema>[0] | undefined): unknown {
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

export function wireHash(): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(wire())))
    .digest('hex')
    .slice(0, 16);
}

export function wire() {
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
