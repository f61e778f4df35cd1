// What the stored network policy allows. No network enforces it here: the rules are evaluated.
import assert from 'node:assert/strict';
import type { Tests } from '../ops/tests.ts';
import type { Cluster } from './cluster.ts';
import { LEAST, type Pod, podsOf, render, template } from './manifests.ts';
import { type Host, type Policy, reaches, type Target } from './reach.ts';

const inNamespace = (namespace: string, ip: string): Host => ({ ip, pod: { namespace, labels: {} } });
const traefik = inNamespace('traefik', '10.0.1.1');
const monitoring = inNamespace('monitoring', '10.0.1.2');
const stranger = inNamespace('other', '10.0.1.3');
const internet: Host = { ip: '93.184.216.34' };
const server = (ip: string, port: number): Target => ({ host: { ip }, port });

/** Documented in docs/install-kubernetes.md. */
const OPEN: Record<string, Target> = {
  PostgreSQL: server('10.0.2.1', 5432),
  NATS: server('10.0.2.2', 4222),
  S3: server('10.0.2.3', 8333),
  'DNS (UDP)': { ...server('10.96.0.10', 53), protocol: 'UDP' },
  'DNS (TCP)': server('10.96.0.10', 53),
  'push service': server('93.184.216.34', 443),
  'push service (IPv6)': server('2606:2800:220::1', 443),
};
const CLOSED: Record<string, Target> = {
  'API server': server('10.96.0.1', 443),
  'API server of the nodes': server('192.168.0.1', 6443),
  'metadata of the cloud': server('169.254.169.254', 80),
  'metadata of the cloud, port 443': server('169.254.169.254', 443),
  'private address': server('172.16.0.9', 443),
  'shared address': server('100.64.0.9', 443),
  'private address (IPv6)': server('fd00::9', 443),
  'local address (IPv6)': server('fe80::9', 443),
  'web without TLS': server('93.184.216.34', 80),
  SSH: server('93.184.216.34', 22),
  SMTP: server('93.184.216.34', 25),
  'PostgreSQL over UDP': { ...server('10.0.2.1', 5432), protocol: 'UDP' },
  kubelet: server('192.168.0.2', 10_250),
};

export async function network(cluster: Cluster, tests: Tests): Promise<void> {
  const namespace = 'network';
  await cluster.createNamespace(namespace);
  const hosts = podsOf(await render(cluster, LEAST)).map((pod) => hostOf(pod, namespace));
  const find = (component: string): Host =>
    hosts.find(({ pod }) => pod?.labels['app.kubernetes.io/component'] === component) ??
    assert.fail(component);
  const pods = { gateway: find('gateway'), migrate: find('migrate'), worker: find('worker') };
  const neighbour = inNamespace(namespace, '10.0.1.4');

  await tests.run('pods reach the engines, DNS and push services, and nothing else', async () => {
    const policies = await storedPolicies(cluster, namespace, template(LEAST));
    for (const from of Object.values(pods)) {
      for (const [name, target] of Object.entries(OPEN)) assert(reaches(policies, from, target), name);
      for (const [name, target] of Object.entries(CLOSED)) assert(!reaches(policies, from, target), name);
      for (const host of [pods.gateway, pods.worker, neighbour])
        for (const port of [8080, 9090]) assert(!reaches(policies, from, { host, port }), `port ${port}`);
    }
  });
  await tests.run('only the ingress reaches the gateway, and only Prometheus the metrics', async () => {
    const policies = await storedPolicies(cluster, namespace, template(LEAST));
    const sources = { traefik, monitoring, stranger, internet, neighbour };
    const reached = Object.entries(sources).flatMap(([from, source]) =>
      Object.entries(pods).flatMap(([to, host]) =>
        [8080, 9090, 22]
          .filter((port) => reaches(policies, source, { host, port }))
          .map((port) => `${from} to ${to} ${port}`),
      ),
    );
    assert.deepEqual(reached, [
      'traefik to gateway 8080',
      'monitoring to gateway 9090',
      'monitoring to worker 9090',
    ]);
  });
  await tests.run('port 443 is never open to every address, also not for S3', async () => {
    const policies = await storedPolicies(
      cluster,
      namespace,
      template([...LEAST, 'networkPolicy.s3.port=443']),
    );
    for (const [name, target] of Object.entries(CLOSED))
      assert(!reaches(policies, pods.gateway, target), name);
  });
  await tests.run('with its values, the chart reaches PostgreSQL only in the cluster', async () => {
    const values = '--values ops/cloudnativepg/values.yaml';
    const policies = await storedPolicies(cluster, namespace, template(LEAST, values));
    const member = (name: string): Host => ({
      ip: '10.0.3.1',
      pod: { namespace, labels: { 'cnpg.io/cluster': name } },
    });
    for (const from of Object.values(pods)) {
      assert(reaches(policies, from, { host: member('settee-db'), port: 5432 }));
      for (const host of [member('another'), { ip: '10.0.3.1' }])
        assert(!reaches(policies, from, { host, port: 5432 }), host.ip);
    }
  });
}

/** Sends the policies to the server, and reads what it stored. */
async function storedPolicies(cluster: Cluster, namespace: string, helm: string): Promise<Policy[]> {
  const stored = await cluster.run(`kubectl delete networkpolicies --namespace ${namespace} --all >/dev/null
    ${helm} --show-only templates/networkPolicy.yaml |
      kubectl apply --namespace ${namespace} --filename - >/dev/null
    kubectl get networkpolicies --namespace ${namespace} --output json`);
  const { items } = JSON.parse(stored) as { items: Policy[] };
  assert(items.length > 0);
  return items;
}

function hostOf({ metadata: { labels }, spec }: Pod, namespace: string): Host {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  const named = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
  return { ip: '10.0.0.1', pod: { namespace, labels, ports: named } };
}
