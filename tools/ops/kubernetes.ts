// Validates manifests with the OpenAPI description of Kubernetes. An unknown field is an error.
import { Ajv } from 'ajv';
import { kubernetesApi, moduleFile } from './goModule.ts';

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [more: string]: unknown;
};

type Definition = {
  type?: string;
  format?: string;
  properties?: Record<string, unknown>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
};

/** Returns a function that lists the problems of a manifest. */
export async function kubernetesValidator(): Promise<(manifest: Manifest) => string[]> {
  const { definitions } = (await moduleFile(kubernetesApi)) as { definitions: Record<string, Definition> };
  const names = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      names.set(`${group === '' ? '' : `${group}/`}${version} ${kind}`, name);
    definitions[name] = strict(definition);
  }
  // Formats are those of Go (int32, byte), and x- keys belong to Kubernetes.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'kubernetes', definitions });
  return (manifest) => {
    const name = names.get(`${manifest.apiVersion} ${manifest.kind}`);
    if (name === undefined) return [`${manifest.apiVersion} ${manifest.kind} is not known to Kubernetes`];
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`);
    if (validate === undefined) throw new Error(`there is no definition ${name}`);
    if (validate(manifest)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${manifest.kind} ${manifest.metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** OpenAPI 2 cannot express a union of two types. */
function strict(definition: Definition): Definition {
  if (definition.format === 'int-or-string') return { type: ['string', 'integer'] } as unknown as Definition;
  if (definition.properties === undefined) return definition;
  return { ...definition, additionalProperties: false } as Definition;
}
