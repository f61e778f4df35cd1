// The HTTP API of Kubernetes. Every write is validated strictly: an unknown field is an error.
import type { Manifest } from '../ops/kubernetes.ts';

type Resource = { name: string; kind: string; namespaced: boolean; verbs: string[] };
type Answer = { status: number; body: unknown; warnings: string };
/** What the server stored. */
export type Stored = Manifest & {
  metadata: { uid: string; resourceVersion: string; generation?: number };
  spec: Record<string, unknown>;
};

export class Api {
  readonly address: string;
  readonly token: string;
  readonly #resources = new Map<string, Resource[]>();

  constructor(address: string, token: string) {
    this.address = address;
    this.token = token;
  }

  async #attempt(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    const response = await fetch(`${this.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: await response.json(),
      warnings: response.headers.get('warning') ?? '',
    };
  }

  /** A refusal is an error, and a warning about what is written too. */
  async call<T>(method: string, path: string, body?: object, type?: string): Promise<T> {
    const answer = await this.#attempt(method, path, body, type);
    if (answer.status >= 400) throw new Error((answer.body as { message: string }).message);
    if (method !== 'GET' && answer.warnings !== '') throw new Error(`${method} ${path}: ${answer.warnings}`);
    return answer.body as T;
  }

  /** Undefined if there is none. */
  async find(namespace: string, manifest: Identity): Promise<Stored | undefined> {
    const path = `${await this.#collection(namespace, manifest)}/${manifest.metadata.name}`;
    const { status, body } = await this.#attempt('GET', path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as Stored;
  }

  async get(namespace: string, manifest: Identity): Promise<Stored> {
    const found = await this.find(namespace, manifest);
    if (found === undefined) throw new Error(`There is no ${manifest.kind} ${manifest.metadata.name}.`);
    return found;
  }

  /** As `kubectl apply --server-side --validate=strict`. */
  async apply(namespace: string, manifest: Manifest, dryRun: boolean): Promise<Stored> {
    const path = `${await this.#collection(namespace, manifest)}/${manifest.metadata.name}`;
    const options = `fieldManager=test&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
    return this.call('PATCH', `${path}?${options}`, manifest, 'application/apply-patch+yaml');
  }

  async create(namespace: string, manifest: Manifest): Promise<Stored> {
    return this.call(
      'POST',
      `${await this.#collection(namespace, manifest)}?fieldValidation=Strict`,
      manifest,
    );
  }

  /** What `kubectl` would change in the subresource `status` or `scale`. */
  async patch(namespace: string, target: Identity, subresource: string, body: object): Promise<void> {
    const path = `${await this.#collection(namespace, target)}/${target.metadata.name}/${subresource}`;
    await this.call('PATCH', path, body, 'application/merge-patch+json');
  }

  async list(namespace: string, apiVersion: string, kind: string): Promise<Stored[]> {
    const { items } = await this.call<{ items: Stored[] }>(
      'GET',
      await this.#collection(namespace, { apiVersion, kind }),
    );
    return items;
  }

  /** Everything in a namespace, as "kind name". */
  async everything(namespace: string): Promise<string[]> {
    const { groups } = await this.call<{ groups: { preferredVersion: { groupVersion: string } }[] }>(
      'GET',
      '/apis',
    );
    const names: string[] = [];
    for (const version of ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)])
      for (const { name, kind, namespaced, verbs } of await this.#resourcesOf(version)) {
        if (!namespaced || !verbs.includes('list') || name.includes('/')) continue;
        const items = await this.list(namespace, version, kind);
        names.push(...items.map(({ metadata }) => `${version} ${kind} ${metadata.name}`));
      }
    return names.toSorted();
  }

  async #collection(namespace: string, { apiVersion, kind }: Omit<Identity, 'metadata'>): Promise<string> {
    const found = (await this.#resourcesOf(apiVersion)).find(
      (each) => each.kind === kind && !each.name.includes('/'),
    );
    if (found === undefined) throw new Error(`The server has no ${apiVersion} ${kind}.`);
    return `${root(apiVersion)}${found.namespaced ? `/namespaces/${namespace}` : ''}/${found.name}`;
  }

  async #resourcesOf(apiVersion: string): Promise<Resource[]> {
    const known = this.#resources.get(apiVersion);
    if (known !== undefined) return known;
    const { resources } = await this.call<{ resources: Resource[] }>('GET', root(apiVersion));
    this.#resources.set(apiVersion, resources);
    return resources;
  }
}

export type Identity = { apiVersion: string; kind: string; metadata: { name: string } };

const root = (apiVersion: string): string => (apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`);
