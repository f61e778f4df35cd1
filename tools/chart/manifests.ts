import { parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.ts';
import { kubernetesVersion } from './cluster.ts';

export type Manifest = { kind: string; metadata: { name: string }; spec?: object };
export type Pod = {
  kind: 'Pod';
  apiVersion: 'v1';
  metadata: { name: string; labels: Record<string, string> };
  spec: {
    automountServiceAccountToken: boolean;
    securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
    containers: {
      env: { name: string; value: string }[];
      ports?: { name: string; containerPort: number }[];
      resources: { limits?: { memory?: string } };
      securityContext: {
        allowPrivilegeEscalation: boolean;
        readOnlyRootFilesystem: boolean;
        capabilities: { drop: string[] };
      };
    }[];
    volumes: { secret: { items: { key: string }[] } }[];
  };
};

/** The required values. */
export const LEAST = [
  'publicUrl=https://chat.example.org',
  'existingSecret=settee',
  's3.endpoint=https://s3:8333',
];
export const MOST = [
  ...LEAST,
  ...['autoscaling.enabled=true', 'podMonitor.enabled=true', 'vapidSubject=mailto:you@example.org'],
  ...['networkPolicy.extraEgress[0].ports[0].port=4318', 's3.publicEndpoint=https://media.example.org'],
  ...['tls.caKey=ca.crt', 'env.CELL=b1', 'imagePullSecrets[0].name=registry'],
];

/** A command of Helm that prints the manifests. `more` are further options. */
export function template(values: string[], more = ''): string {
  const set = values.map((value) => `--set '${value}'`).join(' ');
  return `helm template settee ops/chart --kube-version ${kubernetesVersion} ${set} ${more}`;
}

export async function render(cluster: Cluster, values: string[], more?: string): Promise<Manifest[]> {
  // As Helm reads it: 0440 is octal.
  return parseAllDocuments(await cluster.run(template(values, more)), { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The pods that controllers would create. */
export function podsOf(manifests: Manifest[]): Pod[] {
  return manifests.flatMap(({ metadata: { name }, spec }) => {
    const { template: pod } = (spec ?? {}) as { template?: Pod };
    if (pod === undefined) return [];
    return [{ apiVersion: 'v1', kind: 'Pod', metadata: { ...pod.metadata, name }, spec: pod.spec }];
  });
}
