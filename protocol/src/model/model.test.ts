import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { calls } from '../calls/http.ts';
import { FRAME_MAX_BYTES, Up } from '../frames/up.ts';
import { texts } from '../texts/texts.ts';
import { cleanMessageText } from './cleanText.ts';
import { DisplayName, displayNameProblem } from './displayName.ts';
import { initials } from './initials.ts';
import { cleanFileName, IMAGE_MAX_BYTES, IMAGE_TYPES, imageProblem, mediaPath } from './media.ts';
import { MESSAGE_TEXT_MAX, MessageText } from './message.ts';
import { PERSON_NAME_MAX } from './person.ts';
import { cleanRecoveryCode, RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, TotpCode } from './secondFactor.ts';
import { isUnnamed, visitorLabel, visitorNameOrLabel } from './visitor.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

test.each([
  ['', ''],
  ['   ', ''],
  ['Ada', 'A'],
  ['ada lovelace', 'AL'],
  ['  Ada   King  Lovelace ', 'AK'],
  ['Ada\u00a0Lovelace', 'AL'],
  ['Chat with us', 'CW'],
  ['élodie ångström', 'ÉÅ'],
  ['李 小龍', '李小'],
  ['😀 Ada', '😀A'],
  ['ßeta ﬁn', 'SF'],
])('[D-08] the initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

const at = {
  conversationId: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  randomId: 'r4nd0m',
  timestamp: 1_700_000_000_000,
};
const start = `conversations/${at.conversationId}/media/r4nd0m_1700000000000.`;

test.each([
  ['cat.png', 'png'],
  ['CAT.JPEG', 'jpeg'],
  ['archive.tar.gz', 'gz'],
  ['no extension', 'jpg'],
  ['', 'jpg'],
  ['.', 'jpg'],
  ['trailing.', 'jpg'],
  ['sly.png/../../etc', 'jpg'],
  ['sly.p\u202eng', 'jpg'],
  ['long.extension9', 'jpg'],
])('[D-10] %j is stored with the extension %j', (fileName, extension) => {
  expect(mediaPath({ ...at, fileName })).toBe(start + extension);
});

test('[D-10] no file name leaves the conversation’s folder, or shows in the path', () => {
  const parts = fc.constantFrom('/', '..', '.', '\\', '%2f', '\0', 'png', 'Ada', ' ');
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'binary' }))), (pieces) => {
      const path = mediaPath({ ...at, fileName: pieces.join('') });
      expect(path.startsWith(start)).toBe(true);
      expect(path.slice(start.length)).toMatch(/^[a-z0-9]{1,8}$/);
    }),
  );
});

test('[D-10] a file name is cut to its last 120 characters, and never inside a character', () => {
  expect(cleanFileName(`C:\\holiday/${'a'.repeat(200)}.png`)).toBe(`${'a'.repeat(116)}.png`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 100 }), (name) => {
      const clean = cleanFileName(name);
      expect(clean.isWellFormed() && clean.length <= 120 && clean === clean.trim()).toBe(true);
    }),
  );
  expect(cleanFileName(`😀${'a'.repeat(119)}`)).toBe(`\uFFFD${'a'.repeat(119)}`);
});

test('[C-03] the four image types are accepted, and no other spelling of them', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
    expect(imageProblem({ type, bytes: 1 })).toBeUndefined();
  for (const type of ['image/svg+xml', 'image/avif', 'image/PNG', 'image/png;a=b', 'text/html', ''])
    expect(imageProblem({ type, bytes: 1 })).toBe('image_type');
  expect(IMAGE_TYPES).toHaveLength(4);
});

test('[C-04] an image has at least one byte and fewer than 10 MB', () => {
  expect(IMAGE_MAX_BYTES).toBe(10_485_760);
  const problem = (bytes: number) => imageProblem({ type: 'image/png', bytes });
  expect([1, 10_485_759].map(problem)).toEqual([undefined, undefined]);
  expect([0, 10_485_760, 10_485_761].map(problem)).toEqual(['image_size', 'image_size', 'image_size']);
});

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
});

describe('the send frame', () => {
  const send = { type: 'send', conversationId: id, id, text: ' Hello ' };

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
});

test('[FACTOR-09] a recovery code is read in any spelling, and has 60 bits', () => {
  expect(cleanRecoveryCode(' 7KQM-2XYZ-OIL0 ')).toBe('7kqm2xyz0110');
  expect(new Set(RECOVERY_ALPHABET).size ** RECOVERY_CODE_LENGTH).toBeGreaterThanOrEqual(2 ** 60);
  expect(cleanRecoveryCode(RECOVERY_ALPHABET)).toBe(RECOVERY_ALPHABET);
});

test('[FACTOR-06] a code from an app is six digits, with or without a space', () => {
  expect(v.parse(TotpCode, '123 456')).toBe('123456');
  for (const wrong of ['12345', '1234567', '12345a', '', '１２３４５６'])
    expect(v.is(TotpCode, wrong)).toBe(false);
});

test('the first administrator has a name and an address like every other person', () => {
  const name = 'x'.repeat(PERSON_NAME_MAX);
  const person = { code: 'AAAA', name, email: 'ada@settee.example', password: 'long enough a password' };
  const accepts = (change: object) => v.is(calls.setUp.body, { ...person, ...change });
  expect(accepts({})).toBe(true);
  expect([accepts({ name: `${name}x` }), accepts({ email: 'ada' })]).toEqual([false, false]);
});

describe('the display name', () => {
  test('[C-01] a name is trimmed', () => {
    expect(v.parse(DisplayName, '  Ada \n')).toBe('Ada');
  });

  test('[C-01] a name is one line, without control characters', () => {
    expect(v.parse(DisplayName, 'A\u0000d\u202Ea\n Lovelace')).toBe('Ada Lovelace');
    expect(displayNameProblem('A\u0000\u0001')).toBe(texts.nameTooShort);
    expect(displayNameProblem('ada.\u0000com')).toBe(texts.nameHasContact);
  });

  test('a name cannot turn the text around it: its isolates are closed, and it closes no others', () => {
    expect(v.parse(DisplayName, '\u2067Ada')).toBe('\u2067Ada\u2069');
    expect(v.parse(DisplayName, '\u2067\u2068Ada\u2069')).toBe('\u2067\u2068Ada\u2069\u2069');
    expect(v.parse(DisplayName, '\u2069Ada\u2069')).toBe('Ada');
  });

  test.each([
    ['', texts.nameTooShort],
    ['A', texts.nameTooShort],
    ['  A  ', texts.nameTooShort],
    ['Al', undefined],
    ['x'.repeat(40), undefined],
    [`  ${'x'.repeat(40)}  `, undefined],
    ['x'.repeat(41), texts.nameTooLong],
    ['http', texts.nameHasContact],
    ['see HTTPS here', texts.nameHasContact],
    ['ada@home', texts.nameHasContact],
    ['ada.com', texts.nameHasContact],
    ['ADA.COM', texts.nameHasContact],
    ['Ada Comfort', undefined],
    ['Zoë 李', undefined],
    // Only joiners, a soft hyphen, fillers and blanks.
    ['\u200B\u200B', texts.nameTooShort],
    ['\u00AD\u00AD', texts.nameTooShort],
    ['\u3164\u3164', texts.nameTooShort],
    ['\u2800\u2800', texts.nameTooShort],
    ['\u2067\u2069', texts.nameTooShort],
    ['ada.\u200Bcom', texts.nameHasContact],
    ['Gue\u00ADst', texts.nameReserved],
    ['👩‍👧', undefined],
    ['می‌خواهم', undefined],
  ])('[C-01] %j gives %j', (name, problem) => {
    expect(displayNameProblem(name)).toBe(problem);
  });

  test("[C-01] the texts are the specification's", () => {
    expect(displayNameProblem('A')).toBe('Name must be at least 2 characters');
    expect(displayNameProblem('x'.repeat(41))).toBe('Name must be under 40 characters');
    expect(displayNameProblem('a@b')).toBe("Please don't include emails or links");
  });
});

describe('what staff call a visitor', () => {
  const visitorId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

  test('[D-07] an unnamed visitor is V- and the first 8 characters of the id in upper case', () => {
    expect(visitorLabel(visitorId)).toBe('V-0A1B2C3D');
  });

  test.each(['', '   ', 'Guest', ' Guest '])('[D-07] %j is no name', (visitorName) => {
    expect(isUnnamed(visitorName)).toBe(true);
    expect(visitorNameOrLabel({ visitorId, visitorName })).toBe('V-0A1B2C3D');
  });

  test.each(['Ada', 'guest', 'Guest 2'])('[D-07] %j is a name', (visitorName) => {
    expect(visitorNameOrLabel({ visitorId, visitorName: ` ${visitorName} ` })).toBe(visitorName);
  });
});
