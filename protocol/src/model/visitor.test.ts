import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { oneLine } from '../frames/line.ts';
import { texts } from '../texts/texts.ts';
import {
  DISPLAY_NAME_MAX,
  DISPLAY_NAME_MIN,
  DisplayName,
  displayNameProblem,
  isUnnamed,
  visitorLabel,
  visitorNameOrLabel,
} from './visitor.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

describe('the display name', () => {
  test('[C-01] a name is trimmed', () => {
    expect(v.parse(DisplayName, '  Ada \n')).toBe('Ada');
  });

  test('[C-01] a name is one line, without control characters', () => {
    expect(v.parse(DisplayName, 'A\u0000d\u202Ea\n Lovelace')).toBe('Ada Lovelace');
    expect(displayNameProblem('A\u0000\u0001')).toBe(texts.nameTooShort);
    expect(displayNameProblem('ada.\u0000com')).toBe(texts.nameHasContact);
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
  ])('[C-01] %j gives %j', (name, problem) => {
    expect(displayNameProblem(name)).toBe(problem);
  });

  test("[C-01] the texts are the specification's", () => {
    expect(displayNameProblem('A')).toBe('Name must be at least 2 characters');
    expect(displayNameProblem('x'.repeat(41))).toBe('Name must be under 40 characters');
    expect(displayNameProblem('a@b')).toBe("Please don't include emails or links");
  });

  test('[C-01] every accepted name follows every rule, and no other name is refused', () => {
    const hints = fc.constantFrom('http', 'HTTP', '@', '.com', '.Com', ' ', 'com', '\u00a0');
    const names = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), hints), { maxLength: 6 });
    fc.assert(
      fc.property(names, (parts) => {
        const raw = parts.join('');
        const clean = oneLine(raw);
        const right =
          clean.length >= DISPLAY_NAME_MIN &&
          clean.length <= DISPLAY_NAME_MAX &&
          !/http|@|\.com/i.test(clean);
        const parsed = v.safeParse(DisplayName, raw);
        expect(parsed.success).toBe(right);
        if (parsed.success) expect(parsed.output).toBe(clean);
      }),
    );
  });
});

describe('what staff call a visitor', () => {
  const visitorId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

  test('[D-07] an unnamed visitor is V- and the first 8 characters of the id in upper case', () => {
    expect(visitorLabel(visitorId)).toBe('V-0A1B2C3D');
  });

  test('[D-07] the label depends only on the start of the id', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(visitorLabel(id)).toMatch(/^V-[0-9A-F]{8}$/);
        expect(visitorLabel(id).slice(2).toLowerCase()).toBe(id.slice(0, 8));
      }),
    );
  });

  test.each(['', '   ', 'Guest', ' Guest '])('[D-07] %j is no name', (visitorName) => {
    expect(isUnnamed(visitorName)).toBe(true);
    expect(visitorNameOrLabel({ visitorId, visitorName })).toBe('V-0A1B2C3D');
  });

  test.each(['Ada', 'guest', 'Guest 2'])('[D-07] %j is a name', (visitorName) => {
    expect(visitorNameOrLabel({ visitorId, visitorName: ` ${visitorName} ` })).toBe(visitorName);
  });
});
