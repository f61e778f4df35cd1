import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { withShapeComments } from './comments.ts';
import { isSchema, plain, type Schema } from './plain.ts';

export type Json = JsonSchema;
type Valibot = Parameters<typeof toJsonSchema>[0];

const PROTOCOL = join(import.meta.dirname, '../../protocol/src');

/** Describes a value that the server does not validate: extension fields of a browser's authenticator. */
export const ANYTHING = 'Any value. The server ignores it.';

const toPlain = (schema: unknown): Valibot => plain(schema as Schema) as unknown as Valibot;

/** Every schema that protocol exports, by name. Schemas that refer to one of these get a $ref. */
const definitions = Object.fromEntries(
  (await exportedSchemas()).map(([name, schema]) => [name, toPlain(schema)]),
);

async function exportedSchemas(): Promise<[name: string, schema: unknown][]> {
  const files = globSync('{model,calls}/*.ts', { cwd: PROTOCOL }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(
    files.sort().map((file) => import(pathToFileURL(join(PROTOCOL, file)).href) as Promise<object>),
  );
  const seen = new Set<unknown>();
  // An alias of a schema keeps the first name.
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value) && !seen.has(value) && seen.add(value));
}

const options = {
  target: 'draft-2020-12',
  // A schema that cannot be described must stop the generator.
  errorMode: 'throw',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema, jsonSchema }: { valibotSchema: { type: string }; jsonSchema: Json }) => {
    // Some tools need the type beside the constant.
    if (valibotSchema.type === 'literal') {
      return { type: typeof jsonSchema.const as 'string' | 'boolean', const: jsonSchema.const };
    }
    if (valibotSchema.type === 'unknown') return { description: ANYTHING };
    return undefined;
  },
} as const;

export function describe(schema: Valibot): Json {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(toPlain(schema), { ...options, definitions });
  return described;
}

/** The named schemas that a document refers to, directly or through other schemas. */
export function componentsOf(document: object): Record<string, Json> {
  const all = toJsonSchemaDefs(definitions, options) as Record<string, Json>;
  const used = new Map<string, Json>();
  const visit = (part: object): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name];
      if (schema === undefined) throw new Error(`There is no schema ${name}.`);
      if (used.has(name)) continue;
      used.set(name, withShapeComments(name, schema));
      visit(schema);
    }
  };
  visit(document);
  return Object.fromEntries([...used].sort(([left], [right]) => left.localeCompare(right)));
}
