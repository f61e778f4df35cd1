import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../engines/process.ts';
import { renderChart } from '../ops/helm.ts';
import type { Manifest } from '../ops/kubernetes.ts';
import { helmProgram } from '../ops/programs.ts';
import type { Api } from './api.ts';
import { type ApiServer, kubernetesVersion } from './apiserver.ts';

const COMMAND_MS = 180_000;
const DEFINE_SECONDS = 30;

/** One namespace of the API server, and Helm. */
export class Place {
  readonly api: Api;
  readonly namespace: string;
  readonly checkout: string;
  readonly #helm: string;
  readonly #kubeconfig: string;

  private constructor(server: ApiServer, checkout: string, namespace: string, helm: string) {
    this.api = server.api;
    this.#kubeconfig = server.kubeconfig;
    this.checkout = checkout;
    this.namespace = namespace;
    this.#helm = helm;
  }

  /** The namespace accepts only pods of the profile `restricted`. */
  static async open(server: ApiServer, checkout: string, namespace: string): Promise<Place> {
    const place = new Place(server, checkout, namespace, await helmProgram());
    const profile = 'pod-security.kubernetes.io';
    await place.api.create('', {
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: {
        name: namespace,
        labels: { [`${profile}/enforce`]: 'restricted', [`${profile}/warn`]: 'restricted' },
      },
    } as Manifest);
    // A controller would create it.
    await place.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
    return place;
  }

  render(options: string[]): Promise<Manifest[]> {
    const folder = join(this.checkout, 'ops/chart');
    return renderChart(this.#helm, { folder, kubernetes: kubernetesVersion, options });
  }

  /** A line of a guide. */
  async run(line: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-euc', line], {
      ...{ cwd: this.checkout, timeout: COMMAND_MS, maxBuffer: 1 << 24 },
      env: {
        ...process.env,
        KUBECONFIG: this.#kubeconfig,
        PATH: `${dirname(this.#helm)}${delimiter}${process.env.PATH}`,
      },
    });
    return stdout;
  }

  apply(manifest: Manifest): Promise<unknown> {
    return this.api.apply(this.namespace, manifest, false);
  }

  check(manifest: Manifest): Promise<unknown> {
    return this.api.apply(this.namespace, manifest, true);
  }

  /** Adds a kind, and waits until the server serves it. */
  async define(definition: Manifest): Promise<void> {
    await this.api.create('', definition);
    const { group, names, versions } = definition.spec as {
      group: string;
      names: { kind: string };
      versions: { name: string }[];
    };
    const served = (): Promise<boolean> =>
      this.api.list(this.namespace, `${group}/${versions[0]?.name}`, names.kind).then(
        () => true,
        () => false,
      );
    assert(await waitUntil(served, DEFINE_SECONDS), names.kind);
  }
}
