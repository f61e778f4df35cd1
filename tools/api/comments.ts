// The comments beside the schemas are the best words there are about them: they are read from the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentName } from './components.ts';
import type { Json } from './schemas.ts';

const FOLDER = join(import.meta.dirname, '../../protocol/src');
const COMMENT = String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*`;

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort()
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'));

/** Limits that a comment names stand there as figures. */
const figures = new Map(
  sources.flatMap((source) =>
    [...source.matchAll(/export const ([A-Z_]{4,}) = ([\d_]+);/g)].map(
      ([, name = '', value = '']) => [name, Number(value.replaceAll('_', '')).toLocaleString('en')] as const,
    ),
  ),
);

function words(comment: string): string {
  return comment
    .replaceAll(/^\s*\*\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\b[A-Z_]{4,}\b/g, (name) => figures.get(name) ?? name);
}

/** The comment before `name: call({`. */
export function commentOnCall(name: string): string | undefined {
  const found = matchIn(sources, `${COMMENT}${name}: call\\(\\{`);
  return found && words(found[1] ?? '');
}

/** The comment before `export const Name = v.`. */
function commentOnShape(name: string): string | undefined {
  const found = matchIn(sources, `${COMMENT}export const ${name} = `);
  return found && words(found[1] ?? '');
}

/** Adds to each field of a call's schemas what is said of it in the call's own text. */
export function withFieldComments(name: string, schema: Json): Json {
  return addComments(schema, commentsIn(blockOf(new RegExp(`^ {2}${name}: call\\(`, 'm')), 4));
}

/** The same for a shape that has a name. */
export function withShapeComments(name: ComponentName, schema: Json): Json {
  const described = addComments(schema, commentsOnFieldsOf(name));
  const own = commentOnShape(name);
  if (own === undefined) return described;
  return { ...described, description: [own, described.description].filter(Boolean).join(' ') };
}

/** Also of what it is put together from: `...shared`, `...QueueRow.entries`, `v.object(queueRow)`. */
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

/** The text of a declaration, to the line that closes it. */
function blockOf(begins: RegExp): string {
  for (const source of sources) {
    const from = source.search(begins);
    if (from === -1) continue;
    const rest = source.slice(from);
    const indent = /^ */.exec(rest)?.[0] ?? '';
    const end = rest.search(new RegExp(`\\n${indent}[\\])}]|;\\n`));
    return end === -1 ? rest : rest.slice(0, end);
  }
  return '';
}

/** By depth and field: a field of a field is told apart by how far in it stands. */
function commentsIn(block: string, indent: number): Map<string, string> {
  const pattern = new RegExp(`^( *)${COMMENT}(\\w+): `, 'gm');
  return new Map(
    [...block.matchAll(pattern)].map(([, spaces = '', comment = '', field = '']) => [
      `${(spaces.length - indent) / 2} ${field}`,
      words(comment),
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

function matchIn(texts: readonly string[], pattern: string): RegExpExecArray | undefined {
  for (const text of texts) {
    const found = new RegExp(pattern).exec(text);
    if (found) return found;
  }
  return undefined;
}
