import { expect, test } from 'vitest';
import type { Call } from '../../protocol/src/calls/call.ts';
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import { type CallName, calls } from '../../protocol/src/calls/http.ts';
import { imageProblem } from '../../protocol/src/model/media.ts';
import { noteOf, refusalsOf } from './refusals.ts';
import { throwable } from './thrown.ts';

/** Thrown where the call is registered, or decided in protocol: the handler's own files do not name them. */
function decidedElsewhere(name: CallName): ErrorCode[] {
  const { tooManyBytes }: Call = calls[name];
  const ofImages =
    name === 'beginUpload'
      ? [
          { type: '', bytes: 1 },
          { type: 'image/png', bytes: 0 },
        ]
      : [];
  return [
    ...(tooManyBytes ? [tooManyBytes.code] : []),
    ...ofImages.map(imageProblem).filter((code) => code !== undefined),
  ];
}

test.each(Object.keys(calls) as CallName[])(
  '[OPEN-263] %s can really be refused as its line says',
  (name) => {
    const possible = new Set([...throwable(name), ...decidedElsewhere(name)]);
    expect((noteOf(name).refused ?? []).filter((code) => !possible.has(code))).toEqual([]);
  },
);

test('[OPEN-263] a refusal that a call does not know is found', () => {
  expect(throwable('readQueue').has('shortcut_taken')).toBe(false);
  expect(throwable('saveReply').has('shortcut_taken')).toBe(true);
  expect(refusalsOf('saveReply')).toEqual(
    expect.arrayContaining(['shortcut_taken', 'bad_request', 'unavailable']),
  );
});
