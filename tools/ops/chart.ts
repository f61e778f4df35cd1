import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { kubernetesApi } from './goModule.ts';
import { LEAST, MOST, renderChart, setting } from './helm.ts';
import { kubernetesValidator, type Manifest } from './kubernetes.ts';
import { helmProgram } from './programs.ts';
import type { Tests } from './tests.ts';

const run = promisify(execFile);

/** Values that values.schema.json must refuse, and a part of the error. */
const WRONG: [given: string, error: RegExp][] = [
  ['publicUrl=http://chat.example.org/path', /publicUrl/],
  ['existingSecret=', /existingSecret/],
  ['gatway.replicas=3', /gatway/],
  ['gateway.replicas=none', /replicas/],
  ['s3.endpoint=http://s3:8333', /s3\.endpoint must start with https/],
];

export async function chart(checkout: string, tests: Tests): Promise<void> {
  const folder = join(checkout, 'ops/chart');
  const helm = await tests.run('helm is available', helmProgram);
  if (helm === undefined) return;
  const kubernetes = kubernetesApi.version;
  const template = (values: string[]): Promise<Manifest[]> =>
    renderChart(helm, { folder, kubernetes, options: setting(values) });
  const ingressOf = async (values: string[]) => {
    const ingress = (await template(values)).find(({ kind }) => kind === 'Ingress');
    assert(ingress !== undefined);
    return ingress as Manifest & { spec: { tls: { hosts: string[] }[]; rules: { host: string }[] } };
  };

  await tests.run('helm lint accepts the chart', async () => {
    await run(helm, ['lint', '--strict', folder, '--kube-version', kubernetes, ...setting(LEAST)]);
  });
  await tests.run('every manifest is valid for Kubernetes, without unknown fields', async () => {
    const validate = await kubernetesValidator();
    // Kubernetes does not know the PodMonitor of the Prometheus operator.
    const known = (await template(MOST)).filter(({ kind }) => kind !== 'PodMonitor');
    assert.deepEqual([...known, ...(await template(LEAST))].flatMap(validate), []);
    const deployment = known.find(({ kind }) => kind === 'Deployment') as Manifest & { spec: object };
    const misspelt = { ...deployment, spec: { ...deployment.spec, replica: 2 } };
    assert.notDeepEqual(validate(misspelt), [], 'A misspelt field was accepted.');
    console.log(`  ${known.length} manifests: ${known.map(({ kind }) => kind).join(', ')}`);
  });
  await tests.run('no pod runs as root, may write, has a capability or a token', async () => {
    for (const manifest of await template(MOST)) checkPod(manifest);
  });
  await tests.run(
    '[PRIV-09] TLS is required by default, and only the migration knows the owner',
    async () => {
      for (const { kind, metadata, spec } of await template(MOST)) {
        const pod = (spec as { template?: { spec?: Workload } } | undefined)?.template?.spec;
        if (pod === undefined) continue;
        const settings = new Map(
          pod.containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value])),
        );
        assert.equal(settings.get('REQUIRE_TLS'), 'true', metadata.name);
        assert.equal(settings.get('NODE_EXTRA_CA_CERTS'), '/run/secrets/settee/ca.crt', metadata.name);
        const files = pod.volumes.flatMap(({ secret }) => secret.items.map(({ key }) => key));
        assert(files.includes('ca.crt'), metadata.name);
        // The migration needs no other secret.
        const keys = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'ca.crt'];
        if (kind === 'Job') assert.deepEqual(files, keys, metadata.name);
        else assert(files.includes('SECRET'), metadata.name);
        for (const knows of [settings.has('DATABASE_OWNER_URL_FILE'), files.includes('DATABASE_OWNER_URL')])
          assert.equal(knows, kind === 'Job', metadata.name);
      }
    },
  );
  await tests.run('the chart uses the job names of the alert rules', async () => {
    assert.deepEqual(jobsInChart(await template(MOST)), jobsInPrometheus(join(checkout, 'ops/prometheus')));
  });
  await tests.run('port 443 is never open to every address', async () => {
    for (const port of [443, 8333]) {
      const rules = (await template([...LEAST, `networkPolicy.s3.port=${port}`])).flatMap(({ kind, spec }) =>
        kind === 'NetworkPolicy'
          ? (spec as { egress: { to?: object[]; ports: { port: number }[] }[] }).egress
          : [],
      );
      const open = rules
        .filter(({ to }) => to === undefined)
        .flatMap(({ ports }) => ports.map((each) => each.port));
      assert(!open.includes(443) && (port === 443 || open.includes(port)), JSON.stringify(rules));
    }
  });
  await tests.run('the ingress has the host name without its port', async () => {
    for (const given of [[], ['publicUrl=https://chat.example.org:8443']]) {
      const { tls, rules } = (await ingressOf([...LEAST, ...given])).spec;
      const hosts = [...tls.flatMap((each) => each.hosts), ...rules.map(({ host }) => host)];
      assert.deepEqual(hosts, ['chat.example.org', 'chat.example.org']);
    }
  });
  await tests.run('the chart works with any ingress controller', async () => {
    const { metadata, spec } = await ingressOf(LEAST);
    assert(!('annotations' in metadata) && !('ingressClassName' in spec));
  });
  await tests.run('invalid values are refused before the installation', async () => {
    for (const [given, error] of WRONG) await assert.rejects(template([...LEAST, given]), error, given);
  });
}

/** The jobs of the example configuration. The alert rules may use no others. */
function jobsInPrometheus(folder: string): string[] {
  const { scrape_configs: jobs } = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const names = jobs.map(({ job_name: name }) => name).sort();
  const used = readFileSync(join(folder, 'alerts.yaml'), 'utf8').matchAll(/job="([^"]+)"/g);
  for (const [, job = ''] of used) assert(names.includes(job), job);
  return names;
}

type Monitor = {
  podMetricsEndpoints: {
    relabelings: { sourceLabels: string[]; targetLabel: string; replacement: string }[];
  }[];
};

/** The job names that the PodMonitor derives from the labels of the pods. */
function jobsInChart(manifests: Manifest[]): string[] {
  const monitor = manifests.find(({ kind }) => kind === 'PodMonitor')?.spec as Monitor | undefined;
  const [rule] = monitor?.podMetricsEndpoints[0]?.relabelings ?? [];
  assert(rule?.targetLabel === 'job', 'The PodMonitor does not set the job name.');
  const prefix = '__meta_kubernetes_pod_label_';
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => {
      const { labels } = (spec as { template: { metadata: { labels: Record<string, string> } } }).template
        .metadata;
      const source = Object.keys(labels).find(
        (label) => rule.sourceLabels[0] === prefix + label.replaceAll(/\W/g, '_'),
      );
      return rule.replacement.replace('$1', labels[source ?? ''] ?? '');
    })
    .sort();
}

type Workload = {
  containers: { env: { name: string; value: string }[] }[];
  volumes: { secret: { items: { key: string }[] } }[];
};

type Pod = {
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  containers: {
    resources: { limits?: { memory?: string } };
    securityContext: {
      allowPrivilegeEscalation: boolean;
      readOnlyRootFilesystem: boolean;
      capabilities: { drop: string[] };
    };
  }[];
};

function checkPod({ kind, metadata, spec }: Manifest): void {
  const pod = (spec as { template?: { spec?: Pod } } | undefined)?.template?.spec;
  if (pod === undefined) return;
  const { securityContext: context, containers } = pod;
  const isSafe =
    !pod.automountServiceAccountToken &&
    context.runAsNonRoot &&
    context.runAsUser > 0 &&
    context.seccompProfile.type === 'RuntimeDefault' &&
    containers.every(
      ({ resources, securityContext: own }) =>
        resources.limits?.memory !== undefined &&
        !own.allowPrivilegeEscalation &&
        own.readOnlyRootFilesystem &&
        own.capabilities.drop.includes('ALL'),
    );
  assert(isSafe, `${kind} ${metadata.name} is not restricted enough.`);
}
