// Pods from the templates of the chart, in a namespace that enforces the profile `restricted`.
import assert from 'node:assert/strict';
import { LEAST, MOST, setting } from '../ops/helm.ts';
import type { Manifest } from '../ops/kubernetes.ts';
import type { Tests } from '../ops/tests.ts';
import type { ApiServer } from './apiserver.ts';
import { Place } from './place.ts';

type Container = {
  securityContext: Record<string, unknown>;
  ports?: { name: string; containerPort: number }[];
};
type PodSpec = {
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes: object[];
};
export type Pod = Manifest & {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
};

/** Each makes a pod less safe, so that the server must refuse it. */
const WEAKER: Record<string, (spec: PodSpec) => object> = {
  privileged: (spec) => ({
    containers: spec.containers.map(allowing({ privileged: true, allowPrivilegeEscalation: true })),
  }),
  'may be root': ({ securityContext }) => ({
    securityContext: { ...securityContext, runAsNonRoot: undefined },
  }),
  'user root': ({ securityContext }) => ({ securityContext: { ...securityContext, runAsUser: 0 } }),
  'may gain privileges': (spec) => ({
    containers: spec.containers.map(allowing({ allowPrivilegeEscalation: true })),
  }),
  'keeps capabilities': (spec) => ({ containers: spec.containers.map(allowing({ capabilities: {} })) }),
  'without seccomp': ({ securityContext }) => ({
    securityContext: { ...securityContext, seccompProfile: undefined },
  }),
  'network of the node': () => ({ hostNetwork: true }),
  'folder of the node': ({ volumes }) => ({
    volumes: [...volumes, { name: 'node', hostPath: { path: '/' } }],
  }),
};

const allowing =
  (more: object) =>
  (container: Container): Container => ({
    ...container,
    securityContext: { ...container.securityContext, ...more },
  });

export async function pods(server: ApiServer, checkout: string, tests: Tests): Promise<void> {
  const place = await Place.open(server, checkout, 'pods');
  const { api, namespace } = place;
  await createAccount(place);

  await tests.run('the profile "restricted" admits the pods of every template', async () => {
    for (const values of [LEAST, MOST]) {
      const found = podsOf(await place.render(setting(values)));
      assert.equal(found.length, 3);
      for (const pod of found)
        await api.create(namespace, {
          ...pod,
          metadata: { ...pod.metadata, name: `${pod.metadata.name}-${values.length}` },
        });
    }
  });
  await tests.run('it refuses the same pods with fewer restrictions', async () => {
    for (const pod of podsOf(await place.render(setting(LEAST))))
      for (const [name, weaken] of Object.entries(WEAKER)) {
        const weaker = { ...pod, spec: { ...pod.spec, ...weaken(pod.spec) } };
        const answer = await api.create(namespace, weaker).then(
          () => 'admitted',
          (error: Error) => error.message,
        );
        assert.match(`${name}: ${answer}`, /violates PodSecurity "restricted/);
      }
  });
}

/** The pods that controllers would create. */
export function podsOf(manifests: Manifest[]): Pod[] {
  return manifests.flatMap(({ metadata, spec }) => {
    const { template } = (spec ?? {}) as { template?: Pick<Pod, 'metadata' | 'spec'> };
    if (template === undefined) return [];
    const named = { ...template.metadata, name: metadata.name };
    return [{ apiVersion: 'v1', kind: 'Pod', metadata: named, spec: template.spec }];
  });
}

/** Without its service account, no pod is admitted. */
export async function createAccount(place: Place): Promise<void> {
  const manifests = await place.render(setting(LEAST));
  await place.apply(manifests.find(({ kind }) => kind === 'ServiceAccount') ?? assert.fail());
}
