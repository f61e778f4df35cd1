import type { Json } from './schemas.ts';

export type Mutant = { why: string; value: unknown };

/** One value of each JSON type. */
const OTHERS: unknown[] = [7, 'text', true, [], { odd: 1 }, null];

/**
 * Variants of a valid body, each with one error: an extra or missing field, a wrong type, or a limit exceeded by one.
 * `resolve` follows a reference.
 */
export function mutants(schema: Json, right: unknown, resolve: (schema: Json) => Json): Mutant[] {
  const of = resolve(schema);
  if (of.properties === undefined || typeof right !== 'object' || right === null) return [];
  const body = right as Record<string, unknown>;
  const found: Mutant[] = [];
  if (of.additionalProperties === false)
    found.push({ why: 'an extra field', value: { ...body, surplus: 1 } });
  for (const field of of.required ?? []) {
    const { [field]: _, ...rest } = body;
    found.push({ why: `without ${field}`, value: rest });
  }
  for (const [field, value] of Object.entries(of.properties)) {
    const inner = resolve(value as Json);
    for (const { why, value: wrong } of wrongValues(inner)) {
      found.push({ why: `${field} ${why}`, value: { ...body, [field]: wrong } });
    }
    for (const { why, value: deeper } of mutants(inner, body[field], resolve)) {
      found.push({ why: `${field}: ${why}`, value: { ...body, [field]: deeper } });
    }
  }
  return found;
}

function wrongValues(schema: Json): Mutant[] {
  const found: Mutant[] = [];
  const add = (why: string, value: unknown) => found.push({ why, value });
  const { type, minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  if (type !== undefined) {
    const wrong = OTHERS.find((value) => jsonType(value) !== (type === 'integer' ? 'number' : type));
    add(`with another type than ${String(type)}`, wrong);
  }
  if (schema.enum) add('an unknown enum value', 'unknown');
  if (minLength) add('too short', 'x'.repeat(minLength - 1));
  if (maxLength !== undefined) add('too long', 'x'.repeat(maxLength + 1));
  if (minimum !== undefined) add('too small', minimum - 1);
  if (maximum !== undefined) add('too large', maximum + 1);
  if (minItems) add('with too few', []);
  if (maxItems !== undefined)
    add(
      'with too many',
      Array.from({ length: maxItems + 1 }, () => UUID),
    );
  if (pattern !== undefined && !new RegExp(pattern, 'u').test('§')) add('against its pattern', '§');
  if (type === 'integer') add('not whole', 1.5);
  return found;
}

const UUID = '00000000-0000-4000-8000-000000000000';

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
