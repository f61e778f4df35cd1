import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { calls } from '../calls/http.ts';
import { FRAME_MAX_BYTES, Up } from '../frames/up.ts';
import { cleanMessageText } from './cleanText.ts';
import { MESSAGE_TEXT_MAX, MessageText } from './message.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const id = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

/** Any text, with many characters that cleaning removes or changes. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      fc.constantFrom(
        '\r\n',
        '\r',
        '\n',
        '\t',
        '\0',
        '\u202e',
        '\u2066',
        '\u200d',
        '\ufeff',
        '\ud83d',
        '\ude00',
        ' ',
      ),
    ),
  )
  .map((parts) => parts.join(''));

function bytesOfSend(text: string): number {
  return Buffer.byteLength(JSON.stringify({ type: 'send', conversationId: id, id, text }));
}

describe('cleaning a text', () => {
  test.each([
    ['  Hello \n', 'Hello'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['a\tb', 'a\tb'],
    ['a\u0000b\u0007c\u001bd\u007fe\u0085f', 'abcdef'],
    ['\u202eevil\u202c', 'evil'],
    ['a\u202ab\u202bc\u202dd', 'abcd'],
    ['\ufeffHi', 'Hi'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['\u2067שלום\u2069', '\u2067שלום\u2069'],
    ['half \ud83d', 'half \ufffd'],
  ])('[C-05] %j becomes %j', (raw, clean) => {
    expect(cleanMessageText(raw)).toBe(clean);
  });

  test('leaves no control, no bidi override and no half character, and has nothing to do twice', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const clean = cleanMessageText(raw);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).toBe(clean.trim());
        expect(cleanMessageText(clean)).toBe(clean);
      }),
    );
  });
});

describe('the text of a message', () => {
  test.each(['', '   ', '\n\t', '\u202e', '\0', '\ufeff'])('[C-05] %j is blank and refused', (raw) => {
    expect(v.is(MessageText, raw)).toBe(false);
  });

  test('is 1 to 4000 characters, counted after cleaning', () => {
    expect(MESSAGE_TEXT_MAX).toBe(4_000);
    expect(v.parse(MessageText, 'x')).toBe('x');
    expect(v.parse(MessageText, `  ${'x'.repeat(4_000)}  `)).toHaveLength(4_000);
    expect(v.parse(MessageText, `${'a\r\n'.repeat(1_999)}b`)).toHaveLength(3_999);
    expect(v.is(MessageText, 'x'.repeat(4_001))).toBe(false);
  });

  test('is refused before it is cleaned when no cleaning could make it fit', () => {
    expect(v.is(MessageText, `x${' '.repeat(8_000)}`)).toBe(false);
  });

  test.each([undefined, null, 7, {}, ['x']])('%j is no text', (raw) => {
    expect(v.is(MessageText, raw)).toBe(false);
  });
});

describe('the send frame', () => {
  const send = { type: 'send', conversationId: id, id, text: ' Hello ' };

  test('arrives with its text cleaned', () => {
    expect(v.parse(Up, send)).toEqual({ ...send, text: 'Hello' });
  });

  test.each([{ sender: 'owner' }, { seq: 1 }, { createdAt: 0 }, { extra: null }])(
    'with %j is refused',
    (more) => {
      expect(v.is(Up, { ...send, ...more })).toBe(false);
      expect(v.is(calls.sendMessage.body, { id, text: 'Hello', ...more })).toBe(false);
    },
  );

  test.each(['conversationId', 'id', 'text'])('[C-06] without %s is refused', (field) => {
    expect(v.is(Up, { ...send, [field]: undefined })).toBe(false);
  });

  test('no frame and no body of a call takes an unknown field', () => {
    const bodies = Object.values(calls).flatMap(({ body, query }) =>
      [body, query].filter((it) => it !== undefined),
    );
    for (const schema of [...Up.options, ...bodies]) expect(schema.type).toBe('strict_object');
  });

  test('the largest legal text fits, whatever it is made of', () => {
    const empty = bytesOfSend('');
    let worst = 0;
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const text = cleanMessageText(`x${String.fromCharCode(unit)}x`);
      if (text.length === 3) worst = Math.max(worst, bytesOfSend(text) - empty - 2);
    }
    expect(worst).toBe(3);
    expect(empty + worst * MESSAGE_TEXT_MAX).toBeLessThanOrEqual(FRAME_MAX_BYTES);
  });

  test('any text that the schema accepts fits once it is cleaned', () => {
    const long = fc
      .tuple(anyText, fc.integer({ min: 1, max: 4_000 }))
      .map(([text, times]) => text.repeat(times).slice(0, MESSAGE_TEXT_MAX));
    fc.assert(
      fc.property(long, (raw) => {
        const parsed = v.safeParse(MessageText, raw);
        fc.pre(parsed.success);
        expect(bytesOfSend(parsed.output as string)).toBeLessThanOrEqual(FRAME_MAX_BYTES);
      }),
    );
  });
});
