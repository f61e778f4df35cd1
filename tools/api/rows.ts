import type { Json } from './schemas.ts';

export type Row = { field: string; type: string; needed: boolean; words: string };

/** The fields of a schema, those of inner objects behind a dot. A shape with a name is named, not unfolded. */
export function rowsOf(schema: Json, before = ''): Row[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([field, of]) => {
    const value = of as Json;
    const row: Row = {
      field: before + field,
      type: typeOf(value),
      needed: required.includes(field),
      words: wordsOf(value),
    };
    const inner = innerObject(value);
    const prefix = `${before}${field}${value.type === 'array' ? '[]' : ''}.`;
    return [row, ...(inner ? rowsOf(inner, prefix) : [])];
  });
}

/** The alternatives of a schema, each with its own fields. */
export function alternatives(schema: Json): Json[] {
  return (schema.anyOf ?? schema.oneOf ?? [schema]) as Json[];
}

/** In a few words; `$Name` stands for a shape with a name. */
export function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return `$${schema.$ref.split('/').at(-1)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const several = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (several !== undefined) return several.map(typeOf).join(' | ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items as Json)}`;
  if (schema.type === undefined) return 'anything';
  return String(schema.type);
}

function innerObject(schema: Json): Json | undefined {
  if (schema.properties) return schema;
  if (schema.type === 'array') return innerObject(schema.items as Json);
  const several = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return several?.find((each) => each.properties);
}

/** The limits, then what is said of it. */
export function wordsOf(schema: Json): string {
  const inner = ((schema.anyOf as Json[] | undefined)?.find(({ type }) => type !== 'null') ?? schema) as Json;
  const bounds = [
    span(inner.minLength, inner.maxLength, 'characters'),
    span(inner.minItems, inner.maxItems, 'of them'),
    span(inner.minimum, inner.maximum, ''),
    inner.pattern && `matches ${inner.pattern}`,
    schema.default !== undefined && `left out: ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  const limits = bounds.length > 0 ? `${bounds.join('; ')}.` : '';
  return [schema.description ?? inner.description, limits].filter(Boolean).join(' ');
}

function span(min: number | undefined, max: number | undefined, of: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const range =
    max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `${min} to ${max}`;
  return `${range} ${of}`.trim();
}
