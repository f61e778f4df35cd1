import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type ComponentName, components } from './components.ts';
import { plain, type Schema } from './plain.ts';

export type Json = JsonSchema;
type Valibot = Parameters<typeof toJsonSchema>[0];

const ready = (schema: Valibot): Valibot => plain(schema as unknown as Schema) as unknown as Valibot;

const definitions = Object.fromEntries(
  Object.entries(components).map(([name, schema]) => [name, ready(schema)]),
) as Record<ComponentName, Valibot>;

const options = {
  target: 'draft-2020-12',
  // Whatever cannot be said is to be heard of here, and not to be missing in silence.
  errorMode: 'throw',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema, jsonSchema }: { valibotSchema: { type: string }; jsonSchema: Json }) => {
    // A constant's type is plain to see, but not to every tool.
    if (valibotSchema.type === 'literal') {
      return { type: typeof jsonSchema.const as 'string' | 'boolean', const: jsonSchema.const };
    }
    if (valibotSchema.type === 'unknown') return { description: ANYTHING };
    return undefined;
  },
} as const;

/** Where a browser's authenticator may add what it likes, and nothing of it is looked at. */
export const ANYTHING = 'Anything. It is not looked at.';

export function describe(schema: Valibot): Json {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(ready(schema), { ...options, definitions });
  return described;
}

export function describeComponents(): Record<ComponentName, Json> {
  return toJsonSchemaDefs(definitions, options) as Record<ComponentName, Json>;
}
