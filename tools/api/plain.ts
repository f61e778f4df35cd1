// Rewrites valibot schemas so that JSON Schema can express them. A rule after a transformation applies to a value that
// no client sends. It becomes a description, or the equivalent rule for the value that is sent.

import { cleanMessageText } from '../../protocol/src/model/cleanText.ts';
import { closeIsolates, LOOKS_LIKE_CONTACT } from '../../protocol/src/model/displayName.ts';
import { oneLine } from '../../protocol/src/model/line.ts';
import { cleanRecoveryCode, cleanTotpCode } from '../../protocol/src/model/secondFactor.ts';
import { hoursTexts } from '../../protocol/src/texts/hoursTexts.ts';
import { peopleTexts } from '../../protocol/src/texts/peopleTexts.ts';
import { texts } from '../../protocol/src/texts/texts.ts';

type Action = {
  kind: 'validation' | 'transformation' | 'metadata';
  type: string;
  requirement?: unknown;
  operation?: unknown;
  message?: unknown;
  description?: string;
};

/** The parts of a valibot schema that this file reads. */
export type Schema = {
  kind: 'schema';
  type: string;
  pipe?: readonly Item[];
  entries?: Record<string, Schema>;
  item?: Schema;
  wrapped?: Schema;
  key?: Schema | string;
  value?: Schema;
  options?: readonly unknown[];
  default?: unknown;
};
type Item = Schema | Action;

/** Descriptions of transformations. None of them makes a text longer. */
const CLEANED = new Map<unknown, string>([
  [cleanMessageText, 'Trimmed; control and bidi-override characters are removed; line breaks become \\n.'],
  [oneLine, 'One line: trimmed, white space becomes single spaces, control characters are removed.'],
  [closeIsolates, 'Bidi isolates are closed.'],
  [cleanRecoveryCode, 'Capitals, dashes and spaces do not count; o is read as 0, i and l as 1.'],
  [cleanTotpCode, 'Spaces are removed.'],
]);

/** Descriptions of `check` functions, by their error message. */
const CHECKED = new Map<unknown, string>([
  [
    texts.nameHasContact,
    `Without ${LOOKS_LIKE_CONTACT.source
      .split('|')
      .map((part) => `“${part.replace('\\', '')}”`)
      .join(', ')}.`,
  ],
  [texts.nameTooShort, 'With a visible character.'],
  [texts.nameReserved, 'Not “Guest”, which means no name, nor the name of the profile.'],
  [peopleTexts.deskMissing, 'A handler needs an `alias`; an administrator’s may be null.'],
  [hoursTexts.order, 'In order; each ends after it begins, and none overlaps the one before.'],
  ['desks names a desk twice', 'Each desk once.'],
  [
    'alias must be the first of desks',
    'With `desks`, `alias` is the first of them, or null if there are none.',
  ],
  ['no time zone', 'A name of the IANA time zone database, such as Europe/Berlin.'],
]);

const NUMBER: Schema = { kind: 'schema', type: 'number' };
const cache = new WeakMap<Schema, Schema>();

/** The schema without transformations. Cached, so that shared schemas stay the same object. */
export function plain(schema: Schema): Schema {
  const made = cache.get(schema) ?? make(schema);
  cache.set(schema, made);
  return made;
}

function make(schema: Schema): Schema {
  if (schema.pipe !== undefined) return makePipe(schema.pipe);
  const { entries, item, wrapped, key, value, options } = schema;
  const copy: Schema = { ...schema };
  if (entries)
    copy.entries = Object.fromEntries(Object.entries(entries).map(([name, of]) => [name, plain(of)]));
  if (item) copy.item = plain(item);
  if (wrapped) copy.wrapped = plain(wrapped);
  // A variant's key is a field's name.
  if (isSchema(key)) copy.key = plain(key);
  if (value) copy.value = plain(value);
  if (options) copy.options = options.map((option) => (isSchema(option) ? plain(option) : option));
  // A default has the type of the value: `'0'` in a query is the number 0.
  if (typeof copy.default === 'string' && copy.wrapped && baseOf(copy.wrapped).type === 'number') {
    copy.default = Number(copy.default);
  }
  return copy;
}

function makePipe(pipe: readonly Item[]): Schema {
  const [first, ...items] = flat(pipe);
  if (first === undefined || !isSchema(first)) throw new Error('a pipe begins with a schema');
  let base = plain(first);
  let kept: Action[] = [];
  const rules: string[] = [];
  let cleaned = false;
  for (const item of items) {
    if (isSchema(item)) {
      base = plain(item);
    } else if (item.type === 'to_number' || item.operation === Number) {
      // A number in a query.
      base = NUMBER;
      kept = kept.flatMap(numberRules);
    } else if (item.kind === 'transformation') {
      rules.push(textFor(item));
      cleaned = true;
    } else if (item.type === 'check') {
      rules.push(found(CHECKED, item.message, 'check'));
    } else if (!cleaned || item.type === 'min_length' || item.type === 'non_empty') {
      kept.push(item);
    } else {
      rules.push(afterwards(item));
    }
  }
  if (rules.length > 0) kept.push({ kind: 'metadata', type: 'description', description: rules.join(' ') });
  return kept.length === 0 ? base : { ...base, pipe: [base, ...kept] };
}

/** The numbers that a pattern of digits allows. */
function numberRules(action: Action): Action[] {
  const { requirement } = action;
  if (action.type !== 'regex' || !(requirement instanceof RegExp)) return [];
  const rule = (type: string, value?: number): Action => ({ kind: 'validation', type, requirement: value });
  const whole = requirement.test('1.5') ? [] : [rule('integer')];
  if (requirement.test('-1')) return whole;
  return [...whole, rule('min_value', requirement.test('0') ? 0 : 1)];
}

function textFor({ type, operation }: Action): string {
  if (type === 'trim') return 'Trimmed.';
  if (type === 'to_lower_case') return 'Stored in lower case.';
  return found(CLEANED, operation, type);
}

function afterwards({ type, requirement }: Action): string {
  if (type === 'max_length') return `After that at most ${String(requirement)} characters.`;
  if (type === 'regex') return `After that it matches \`${String(requirement)}\`.`;
  throw new Error(`tools/api/plain.ts cannot describe ${type} after a transformation`);
}

function found(descriptions: Map<unknown, string>, key: unknown, kind: string): string {
  const text = descriptions.get(key);
  if (text === undefined) throw new Error(`tools/api/plain.ts cannot describe this ${kind}: ${String(key)}`);
  return text;
}

function flat(pipe: readonly Item[]): Item[] {
  return pipe.flatMap((item) => (isSchema(item) && item.pipe ? flat(item.pipe) : [item]));
}

function baseOf(schema: Schema): Schema {
  return schema.wrapped ? baseOf(schema.wrapped) : schema;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
