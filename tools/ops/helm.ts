import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './kubernetes.ts';

const run = promisify(execFile);

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

export const setting = (values: string[]): string[] => values.flatMap((value) => ['--set', value]);

/** The manifests of the chart, for a version of Kubernetes. */
export async function renderChart(
  helm: string,
  { folder, kubernetes, options }: { folder: string; kubernetes: string; options: string[] },
): Promise<Manifest[]> {
  const { stdout } = await run(
    helm,
    ['template', 'settee', folder, '--kube-version', kubernetes, ...options],
    { maxBuffer: 1 << 24 },
  );
  return manifestsIn(stdout);
}

export function manifestsIn(text: string): Manifest[] {
  // As Helm reads it: 0440 is octal.
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
