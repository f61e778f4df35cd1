// Reads the comments beside the schemas from their source. They become the descriptions of calls and fields.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema as Json } from '@valibot/to-json-schema';

const FOLDER = join(import.meta.dirname, '../../protocol/src');
const COMMENT = String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*`;

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort()
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'));

/** A constant that a comment names is replaced by its value. */
const figures = new Map(
  sources.flatMap((source) =>
    [...source.matchAll(/export const ([A-Z_]{4,}) = ([\d_]+);/g)].map(
      ([, name = '', value = '']) => [name, Number(value.replaceAll('_', '')).toLocaleString('en')] as const,
    ),
  ),
);

function textOf(comment: string): string {
  return comment
    .replaceAll(/^\s*\*\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\b[A-Z_]{4,}\b/g, (name) => figures.get(name) ?? name);
}

/** The comment before `name: call(`. */
export function commentOnCall(name: string): string | undefined {
  return commentBefore(`${name}: call\\(`);
}

/** Adds the comments in a call's declaration to the fields of its schemas. */
export function withFieldComments(name: string, schema: Json): Json {
  return addComments(schema, commentsIn(blockOf(new RegExp(`^ {2}${name}: call\\(`, 'm')), 4));
}

/** The same for a named schema. */
export function withShapeComments(name: string, schema: Json): Json {
  const described = addComments(schema, commentsOnFieldsOf(name));
  const own = commentBefore(`export const ${name} = `);
  if (own === undefined) return described;
  return { ...described, description: [own, described.description].filter(Boolean).join(' ') };
}

/** Includes the comments of its parts: `...shared`, `...QueueRow.entries`, `v.object(queueRow)`. */
function commentsOnFieldsOf(name: string): Map<string, string> {
  const block = blockOf(new RegExp(`^(?:export )?const ${name} = `, 'm'));
  const parts = [...block.matchAll(/\.\.\.(\w+)|v\.object\((\w+)\)/g)].map(
    ([, spread, whole]) => spread ?? whole ?? '',
  );
  const inherited = parts
    .filter((part) => part !== name && part !== 'v')
    .flatMap((part) => [...commentsOnFieldsOf(part)]);
  return new Map([...inherited, ...commentsIn(block, 0)]);
}

/** The source of a declaration: one line, or up to its closing line. */
function blockOf(begins: RegExp): string {
  for (const source of sources) {
    const from = source.search(begins);
    if (from === -1) continue;
    const rest = source.slice(from);
    const indent = /^ */.exec(rest)?.[0] ?? '';
    return new RegExp(`^(?:.*,\\n|[\\s\\S]*?(?:\\n${indent}[\\])}]|;\\n))`).exec(rest)?.[0] ?? rest;
  }
  return '';
}

/** By depth and field name, so that a nested field is not mistaken for an outer one. */
function commentsIn(block: string, indent: number): Map<string, string> {
  const pattern = new RegExp(`^( *)${COMMENT}(\\w+): `, 'gm');
  return new Map(
    [...block.matchAll(pattern)].map(([, spaces = '', comment = '', field = '']) => [
      `${(spaces.length - indent) / 2} ${field}`,
      textOf(comment),
    ]),
  );
}

function addComments(schema: Json, comments: Map<string, string>, depth = 1): Json {
  const { properties, items } = schema;
  const copy = { ...schema };
  if (properties) {
    copy.properties = Object.fromEntries(
      Object.entries(properties).map(([field, of]) => {
        const inner = addComments(of as Json, comments, depth + 1);
        const description = [comments.get(`${depth} ${field}`), inner.description].filter(Boolean).join(' ');
        return [field, description === '' ? inner : { ...inner, description }];
      }),
    );
  }
  if (typeof items === 'object' && !Array.isArray(items)) copy.items = addComments(items, comments, depth);
  return copy;
}

function commentBefore(pattern: string): string | undefined {
  const found = new RegExp(COMMENT + pattern).exec(sources.join('\n'))?.[1];
  return found === undefined ? undefined : textOf(found);
}
