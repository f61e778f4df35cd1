// For tests: validates values against the description with ajv, which does not know the original schemas.
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { openApi } from './openapi.ts';
import type { Json } from './schemas.ts';

export const api = openApi();

const ajv = new Ajv2020({ strict: false, allErrors: true });
const checked = new Map<string, (value: unknown) => string[]>();

/** The errors of a value against a schema of the description. */
export function breaches(
  key: string,
  schema: Json | undefined,
  value: unknown,
  components: object = api.components,
): string[] {
  if (schema === undefined) return [`${key} is not described`];
  const known = checked.get(key) ?? compile(schema, components);
  checked.set(key, known);
  return known(value);
}

function compile(schema: Json, components: object): (value: unknown) => string[] {
  const validate = ajv.compile({ ...schema, components } as AnySchemaObject);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

/** The same description, but objects allow no unknown fields. */
export function strict<T>(part: T): T {
  if (Array.isArray(part)) return part.map(strict) as T;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, strict(value)]));
  if (copy.type === 'object' && copy.properties && !('additionalProperties' in copy))
    copy.additionalProperties = false;
  return copy as T;
}

export const closed = strict(api);
// WebAuthn defines these. The library may add fields that our page does not read.
Object.assign(closed.components.schemas, {
  PasskeyCreation: api.components.schemas.PasskeyCreation,
  PasskeyRequest: api.components.schemas.PasskeyRequest,
});
