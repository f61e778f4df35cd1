// The server validates every object strictly: an unknown field is an error, and so is a warning.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Tests } from '../ops/tests.ts';
import type { Cluster } from './cluster.ts';
import { LEAST, type Manifest, MOST, type Pod, podsOf, render, template } from './manifests.ts';

const podMonitor = {
  module: 'github.com/prometheus-operator/prometheus-operator@v0.94.1',
  sum: 'h1:QEIb2wenPH+SdMN1xMf8l4Pmj00YYXXI6HlbLlQWkww=',
  file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
};
const postgresCluster = {
  module: 'github.com/cloudnative-pg/cloudnative-pg@v1.29.0',
  sum: 'h1:49Dm8+y4va7RODspJjeaK8uMWP3OGAD0gMsxhjm16Mo=',
  file: 'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
};

const VARIANTS: Record<string, string[]> = {
  'required values': LEAST,
  'most values': MOST,
  'no ingress, no network policy': [...LEAST, 'ingress.enabled=false', 'networkPolicy.enabled=false'],
  'an ingress class with annotations': [
    ...[...LEAST, 'ingress.className=nginx', 'ingress.tlsSecret='],
    'ingress.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-body-size=4m',
  ],
  'closed network': [
    ...[...LEAST, 'networkPolicy.push.enabled=false', 'networkPolicy.s3.to[0].ipBlock.cidr=10.1.2.3/32'],
    'networkPolicy.postgres.to[0].podSelector.matchLabels.app=postgres',
    'networkPolicy.nats.to[0].namespaceSelector.matchLabels.kubernetes\\.io/metadata\\.name=nats',
  ],
  'without TLS': [...LEAST, 'tls.required=false', 's3.endpoint=http://s3:8333'],
  'chosen nodes': [
    ...[...LEAST, 'gateway.nodeSelector.disk=fast', 'gateway.tolerations[0].operator=Exists'],
    ...['worker.nodeSelector.disk=fast', 'worker.tolerations[0].operator=Exists'],
  ],
};

/** Values that values.schema.json must refuse, and a part of the error. */
const WRONG: [given: string, error: RegExp][] = [
  ['publicUrl=http://chat.example.org/path', /publicUrl/],
  ['existingSecret=', /existingSecret/],
  ['gatway.replicas=3', /gatway/],
  ['gateway.replicas=none', /replicas/],
  ['s3.endpoint=http://s3:8333', /s3\.endpoint must start with https/],
];

const CHECK =
  'kubectl apply --server-side --dry-run=server --validate=strict --warnings-as-errors --namespace valid --filename -';

export async function valid(cluster: Cluster, tests: Tests): Promise<void> {
  await cluster.createNamespace('valid');
  await cluster.define(podMonitor);
  await cluster.define(postgresCluster);

  await tests.run('helm lint accepts the chart, and invalid values are refused', async () => {
    const set = LEAST.map((value) => `--set ${value}`).join(' ');
    await cluster.run(`helm lint --strict ops/chart ${set}`);
    for (const [given, error] of WRONG)
      await assert.rejects(render(cluster, [...LEAST, given]), error, given);
  });
  for (const [name, values] of Object.entries(VARIANTS))
    await tests.run(`the server accepts every object: ${name}`, () =>
      cluster.run(`${template(values)} | ${CHECK}`),
    );
  await tests.run('the server refuses a misspelt field and an invalid quantity', async () => {
    const misspelt = `${template(LEAST)} | sed 's/^  replicas:/  replica:/' | ${CHECK}`;
    await assert.rejects(cluster.run(misspelt), /\.spec\.replica: field not declared in schema/);
    const invalid = [...LEAST, 'gateway.resources.limits.memory=1 gigabyte'];
    await assert.rejects(cluster.run(`${template(invalid)} | ${CHECK}`), /quantit/);
  });
  await tests.run('no pod runs as root, may write, has a capability or a token', async () => {
    const pods = podsOf(await render(cluster, MOST));
    assert.equal(pods.length, 3);
    for (const pod of pods) checkPod(pod);
  });
  await tests.run('the profile "restricted" admits the pods of every template', async () => {
    // Without its service account, no pod is admitted.
    await cluster.run('kubectl create serviceaccount settee --namespace valid');
    const pods = podsOf(await render(cluster, LEAST));
    for (const pod of pods) await create(cluster, pod);
    const [pod] = pods;
    assert(pod !== undefined);
    const weaker = { ...pod, spec: { ...pod.spec, hostNetwork: true } };
    await assert.rejects(create(cluster, weaker), /violates PodSecurity "restricted/);
  });
  await tests.run(
    '[PRIV-09] TLS is required by default, and only the migration knows the owner',
    async () => {
      for (const pod of podsOf(await render(cluster, MOST))) checkSecrets(pod);
    },
  );
  await tests.run('the chart uses the job names of the alert rules', async () => {
    const folder = join(cluster.checkout, 'ops/prometheus');
    assert.deepEqual(jobsInChart(await render(cluster, MOST)), jobsInPrometheus(folder));
  });
  await tests.run('the ingress has the host name without its port, for any controller', async () => {
    const manifests = await render(cluster, [...LEAST, 'publicUrl=https://chat.example.org:8443']);
    const ingress = manifests.find(({ kind }) => kind === 'Ingress') ?? assert.fail();
    const { tls, rules, ...more } = ingress.spec as { tls: { hosts: string[] }[]; rules: { host: string }[] };
    const hosts = [...tls.flatMap((each) => each.hosts), ...rules.map(({ host }) => host)];
    assert.deepEqual(hosts, ['chat.example.org', 'chat.example.org']);
    assert(!('annotations' in ingress.metadata) && !('ingressClassName' in more));
  });
  await tests.run('the server accepts the cluster of ops/cloudnativepg', async () => {
    const file = readFileSync(join(cluster.checkout, 'ops/cloudnativepg/cluster.yaml'), 'utf8');
    await cluster.run(CHECK, file.replace(/^ {2}namespace: .*\n/m, ''));
    // Each Secret that it names is made on the page.
    const page = readFileSync(join(cluster.checkout, 'docs/install-kubernetes.md'), 'utf8');
    const names = Array.from(file.matchAll(/(?:Secret|secret): (?:\{ name: )?([\w-]+)/g), ([, name]) => name);
    assert.equal(names.length, 4);
    for (const name of names)
      assert.match(page, new RegExp(`kubectl create secret \\w+ ${name} --namespace settee`));
  });
}

const create = (cluster: Cluster, pod: object): Promise<string> =>
  cluster.run('kubectl create --namespace valid --filename -', JSON.stringify(pod));

function checkPod({
  metadata,
  spec: { automountServiceAccountToken, securityContext, containers },
}: Pod): void {
  const isSafe =
    !automountServiceAccountToken &&
    securityContext.runAsNonRoot &&
    securityContext.runAsUser > 0 &&
    securityContext.seccompProfile.type === 'RuntimeDefault' &&
    containers.every(
      ({ resources, securityContext: own }) =>
        resources.limits?.memory !== undefined &&
        !own.allowPrivilegeEscalation &&
        own.readOnlyRootFilesystem &&
        own.capabilities.drop.includes('ALL'),
    );
  assert(isSafe, `${metadata.name} is not restricted enough.`);
}

function checkSecrets({ metadata: { name }, spec: { containers, volumes } }: Pod): void {
  const settings = new Map(containers.flatMap(({ env }) => env.map((each) => [each.name, each.value])));
  assert.equal(settings.get('REQUIRE_TLS'), 'true', name);
  assert.equal(settings.get('NODE_EXTRA_CA_CERTS'), '/run/secrets/settee/ca.crt', name);
  const files = volumes.flatMap(({ secret }) => secret.items.map(({ key }) => key));
  const isMigration = name === 'settee-migrate';
  // The migration needs no other secret.
  if (isMigration) assert.deepEqual(files, ['DATABASE_URL', 'DATABASE_OWNER_URL', 'ca.crt'], name);
  else assert(files.includes('SECRET') && files.includes('ca.crt'), name);
  for (const knows of [settings.has('DATABASE_OWNER_URL_FILE'), files.includes('DATABASE_OWNER_URL')])
    assert.equal(knows, isMigration, name);
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
  return podsOf(manifests.filter(({ kind }) => kind === 'Deployment'))
    .map(({ metadata: { labels } }) => {
      const isSource = (label: string): boolean =>
        rule.sourceLabels[0] === `__meta_kubernetes_pod_label_${label.replaceAll(/\W/g, '_')}`;
      return rule.replacement.replace('$1', labels[Object.keys(labels).find(isSource) ?? ''] ?? '');
    })
    .sort();
}
