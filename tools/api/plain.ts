// Valibot schemas, made plain enough for JSON Schema. A rule that stands behind a transformation is about a value that
// nobody sends, so it becomes words, or what it means for the value that is sent.

import { oneLine } from '../../protocol/src/frames/line.ts';
import { cleanMessageText } from '../../protocol/src/model/cleanText.ts';
import { cleanRecoveryCode, cleanTotpCode } from '../../protocol/src/model/secondFactor.ts';
import { LOOKS_LIKE_CONTACT } from '../../protocol/src/model/visitor.ts';
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

/** As much of a valibot schema as is looked at here. */
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

/** What becomes of a text before it is looked at. None of these makes a text longer. */
const CLEANED = new Map<unknown, string>([
  [cleanMessageText, 'Trimmed; control and bidi-override characters are removed; line breaks become \\n.'],
  [oneLine, 'One line: trimmed, white space becomes single spaces, control characters are removed.'],
  [cleanRecoveryCode, 'Capitals, dashes and spaces do not count; o is read as 0, i and l as 1.'],
  [cleanTotpCode, 'Spaces are removed.'],
]);

/** Rules that only a function knows, by what whoever breaks them is told. */
const CHECKED = new Map<unknown, string>([
  [
    texts.nameHasContact,
    `Without ${LOOKS_LIKE_CONTACT.source
      .split('|')
      .map((part) => `“${part.replace('\\', '')}”`)
      .join(', ')}.`,
  ],
  [texts.nameReserved, 'Not “Guest”, which stands for no name.'],
  [peopleTexts.aliasMissing, 'A handler needs an `alias`; an administrator’s may be null.'],
  [hoursTexts.order, 'In order; each ends after it begins, and none overlaps the one before.'],
  ['no time zone', 'A name of the IANA time zone database, such as Europe/Berlin.'],
]);

const NUMBER: Schema = { kind: 'schema', type: 'number' };
const known = new WeakMap<Schema, Schema>();

/** The same schema without transformations. Asked twice, it is the same object: that is how shared shapes are found. */
export function plain(schema: Schema): Schema {
  const made = known.get(schema) ?? make(schema);
  known.set(schema, made);
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
  // A default is written as the value is: `'0'` in a query is the number 0.
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
  const words: string[] = [];
  let cleaned = false;
  for (const item of items) {
    if (isSchema(item)) {
      base = plain(item);
    } else if (item.type === 'to_number' || item.operation === Number) {
      // In a query: a number, written as a number is.
      base = NUMBER;
      kept = kept.flatMap(numberRules);
    } else if (item.kind === 'transformation') {
      words.push(wordsFor(item));
      cleaned = true;
    } else if (item.type === 'check') {
      words.push(found(CHECKED, item.message, 'check'));
    } else if (!cleaned || item.type === 'min_length' || item.type === 'non_empty') {
      kept.push(item);
    } else {
      words.push(afterwards(item));
    }
  }
  if (words.length > 0) kept.push({ kind: 'metadata', type: 'description', description: words.join(' ') });
  return kept.length === 0 ? base : { ...base, pipe: [base, ...kept] };
}

/** Which numbers a pattern of digits lets through. */
function numberRules(action: Action): Action[] {
  const { requirement } = action;
  if (action.type !== 'regex' || !(requirement instanceof RegExp)) return [];
  const rule = (type: string, value?: number): Action => ({ kind: 'validation', type, requirement: value });
  const whole = requirement.test('1.5') ? [] : [rule('integer')];
  if (requirement.test('-1')) return whole;
  return [...whole, rule('min_value', requirement.test('0') ? 0 : 1)];
}

function wordsFor({ type, operation }: Action): string {
  if (type === 'trim') return 'Trimmed.';
  if (type === 'to_lower_case') return 'Stored in lower case.';
  return found(CLEANED, operation, type);
}

function afterwards({ type, requirement }: Action): string {
  if (type === 'max_length') return `After that at most ${String(requirement)} characters.`;
  if (type === 'regex') return `After that it matches \`${String(requirement)}\`.`;
  throw new Error(`tools/api/plain.ts has no words for ${type} behind a transformation`);
}

function found(words: Map<unknown, string>, key: unknown, what: string): string {
  const known = words.get(key);
  if (known === undefined) throw new Error(`tools/api/plain.ts has no words for a ${what}: ${String(key)}`);
  return known;
}

function flat(pipe: readonly Item[]): Item[] {
  return pipe.flatMap((item) => (isSchema(item) && item.pipe ? flat(item.pipe) : [item]));
}

function baseOf(schema: Schema): Schema {
  return schema.wrapped ? baseOf(schema.wrapped) : schema;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
