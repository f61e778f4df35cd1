import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { kubernetesApi } from './goModule.ts';
import { kubernetesValidator, type Manifest } from './kubernetes.ts';
import { helmProgram } from './programs.ts';
import type { Tests } from './tests.ts';

const run = promisify(execFile);

/** What an operator must give, and no more. */
const LEAST = ['publicUrl=https://chat.example.org', 'existingSecret=settee', 's3.endpoint=http://s3:8333'];
const MOST = [
  ...['autoscaling.enabled=true', 'podMonitor.enabled=true', 'vapidSubject=mailto:you@example.org'],
  ...[
    'networkPolicy.extraEgress[0].ports[0].port=4318',
    's3.publicEndpoint=https://media.example.org',
    'env.CELL=b1',
    'imagePullSecrets[0].name=registry',
  ],
];
/** What values.schema.json must refuse, each with a word of why. */
const WRONG: [given: string, why: RegExp][] = [
  ['publicUrl=http://chat.example.org/path', /publicUrl/],
  ['existingSecret=', /existingSecret/],
  ['gatway.replicas=3', /gatway/],
  ['gateway.replicas=none', /replicas/],
];

export async function chart(checkout: string, tests: Tests): Promise<void> {
  const folder = join(checkout, 'ops/chart');
  const helm = await tests.run('[OPEN-252] helm is there', helmProgram);
  if (helm === undefined) return;
  const set = (values: string[]): string[] => values.flatMap((value) => ['--set', value]);
  const template = async (values: string[]): Promise<Manifest[]> => {
    const args = ['template', 'settee', folder, '--kube-version', kubernetesApi.version, ...set(values)];
    const { stdout } = await run(helm, args, { maxBuffer: 1 << 24 });
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  };

  await tests.run('[OPEN-252] helm lint has nothing to say against the chart', async () => {
    await run(helm, ['lint', '--strict', folder, '--kube-version', kubernetesApi.version, ...set(LEAST)]);
  });
  await tests.run('[OPEN-252] every manifest is one that Kubernetes knows, to the last field', async () => {
    const validate = await kubernetesValidator();
    const known = (await template([...LEAST, ...MOST])).filter(({ apiVersion }) => !isForeign(apiVersion));
    const problems = [...known, ...(await template(LEAST))].flatMap(validate);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const [deployment] = known.filter(({ kind }) => kind === 'Deployment');
    const misspelt = { ...deployment, spec: { ...(deployment?.spec as object), replica: 2 } } as Manifest;
    if (validate(misspelt).length === 0) throw new Error('a misspelt field was let through');
    console.log(`  ${known.length} manifests: ${known.map(({ kind }) => kind).join(', ')}`);
  });
  await tests.run('[OPEN-252] no pod is root, may write, has a capability or a token', async () => {
    for (const manifest of await template([...LEAST, ...MOST])) lockedDown(manifest);
  });
  await tests.run('[OPEN-252] Prometheus gets the names of jobs that the alert rules count on', async () => {
    const wanted = jobsWanted(join(checkout, 'ops/prometheus')).join();
    const named = jobsNamed(await template([...LEAST, ...MOST])).join();
    if (named !== wanted) throw new Error(`the chart names ${named}, the rules want ${wanted}`);
  });
  await tests.run('[OPEN-252] no port 443 is open to everything, wherever S3 listens', async () => {
    for (const port of [443, 8333]) {
      const policies = await template([...LEAST, `networkPolicy.s3.port=${port}`]);
      const rules = policies.flatMap(({ kind, spec }) =>
        kind === 'NetworkPolicy' ? (spec as Policy).egress : [],
      );
      const open = (wanted: number): boolean =>
        rules.some(({ to, ports }) => to === undefined && ports.some((each) => each.port === wanted));
      if (open(443) || (port !== 443 && !open(port))) throw new Error(JSON.stringify(rules));
    }
  });
  await tests.run('[OPEN-252] an ingress is for a name alone, whatever port people come by', async () => {
    const port = 'publicUrl=https://chat.example.org:8443';
    for (const given of [[], [port]]) {
      const ingress = (await template([...LEAST, ...given])).find(({ kind }) => kind === 'Ingress');
      const hosts = hostsOf(ingress?.spec as Ingress);
      if (hosts.join() !== 'chat.example.org,chat.example.org') throw new Error(`it is for ${hosts.join()}`);
    }
  });
  await tests.run('[OPEN-252] the chart asks for no certain ingress controller', async () => {
    const ingress = (await template(LEAST)).find(({ kind }) => kind === 'Ingress');
    const asked = { ...ingress?.metadata, ...(ingress?.spec as Ingress | undefined) };
    if (ingress === undefined || 'ingressClassName' in asked || 'annotations' in asked)
      throw new Error(JSON.stringify(ingress));
  });
  await tests.run('[OPEN-252] values that cannot work are refused before anything is installed', async () => {
    for (const [given, why] of WRONG) {
      const said = await template([...LEAST, given]).then(
        () => 'nothing',
        (error: { stderr?: string }) => String(error.stderr),
      );
      if (!why.test(said)) throw new Error(`${given}: helm said ${said}`);
    }
  });
}

/** The Prometheus operator's own kind is not in Kubernetes' description. */
function isForeign(apiVersion: string): boolean {
  return apiVersion.startsWith('monitoring.coreos.com/');
}

type Ingress = { tls: { hosts: string[] }[]; rules: { host: string }[] };

function hostsOf({ tls, rules }: Ingress): string[] {
  return [...tls.flatMap(({ hosts }) => hosts), ...rules.map(({ host }) => host)];
}

type Policy = { egress: { to?: object[]; ports: { port: number }[] }[] };

/** Of the example of Prometheus; whatever job a rule names must be among them. */
function jobsWanted(folder: string): string[] {
  const { scrape_configs: jobs } = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const names = jobs.map(({ job_name: name }) => name);
  for (const [, job = ''] of readFileSync(join(folder, 'alerts.yaml'), 'utf8').matchAll(/job="([^"]+)"/g))
    if (!names.includes(job)) throw new Error(`alerts.yaml names the job ${job}, prometheus.yaml does not`);
  return names.sort();
}

type Monitor = {
  podMetricsEndpoints: {
    relabelings: { sourceLabels: string[]; targetLabel: string; replacement: string }[];
  }[];
};

/** As the relabelling of the PodMonitor makes them from the labels of the deployments' pods. */
function jobsNamed(manifests: Manifest[]): string[] {
  const monitor = manifests.find(({ kind }) => kind === 'PodMonitor')?.spec as Monitor | undefined;
  const [rule] = monitor?.podMetricsEndpoints[0]?.relabelings ?? [];
  if (rule?.targetLabel !== 'job')
    throw new Error('the PodMonitor leaves the name of the job to the operator');
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => {
      const { labels } = (spec as { template: { metadata: { labels: Record<string, string> } } }).template
        .metadata;
      const [, component = ''] =
        Object.entries(labels).find(
          ([label]) =>
            rule.sourceLabels[0] === `__meta_kubernetes_pod_label_${label.replaceAll(/[^\w]/g, '_')}`,
        ) ?? [];
      return rule.replacement.replace('$1', component);
    })
    .sort();
}

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

function lockedDown({ kind, metadata, spec }: Manifest): void {
  const pod = (spec as { template?: { spec?: Pod } } | undefined)?.template?.spec;
  if (pod === undefined) return;
  const { securityContext: whole, containers } = pod;
  const holds =
    !pod.automountServiceAccountToken &&
    whole.runAsNonRoot &&
    whole.runAsUser > 0 &&
    whole.seccompProfile.type === 'RuntimeDefault' &&
    containers.every(
      ({ resources, securityContext: own }) =>
        resources.limits?.memory !== undefined &&
        !own.allowPrivilegeEscalation &&
        own.readOnlyRootFilesystem &&
        own.capabilities.drop.includes('ALL'),
    );
  if (!holds) throw new Error(`${kind} ${metadata.name} is not locked down`);
}
