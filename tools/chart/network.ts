// What the stored network policy allows. No network enforces it here: the rules are evaluated.
import assert from 'node:assert/strict';
import { LEAST, setting } from '../ops/helm.ts';
import type { Tests } from '../ops/tests.ts';
import type { ApiServer } from './apiserver.ts';
import { Place } from './place.ts';
import { type Pod, podsOf } from './pods.ts';
import { type Host, type Policy, reaches, type Target } from './reach.ts';

const inNamespace = (namespace: string, ip: string): Host => ({ ip, pod: { namespace, labels: {} } });
const traefik = inNamespace('traefik', '10.0.1.1');
const monitoring = inNamespace('monitoring', '10.0.1.2');
const stranger = inNamespace('other', '10.0.1.3');
const internet: Host = { ip: '93.184.216.34' };
const server = (ip: string, port: number): Target => ({ host: { ip }, port });

/** Documented in docs/install.md. */
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

export async function network(apiServer: ApiServer, checkout: string, tests: Tests): Promise<void> {
  const place = await Place.open(apiServer, checkout, 'network');
  const { namespace } = place;
  const manifests = await place.render(setting(LEAST));
  const policies = await storedPolicies(place, setting(LEAST));
  const [gateway, migrate, worker] = podsOf(manifests)
    .toSorted((left, right) => left.metadata.name.localeCompare(right.metadata.name))
    .map((pod) => hostOf(pod, namespace));
  assert(gateway !== undefined && migrate !== undefined && worker !== undefined);
  const neighbour = inNamespace(namespace, '10.0.1.4');

  await tests.run('pods reach the engines, DNS and push services, and nothing else', () => {
    for (const from of [gateway, worker, migrate]) {
      for (const [name, target] of Object.entries(OPEN)) assert(reaches(policies, from, target), name);
      for (const [name, target] of Object.entries(CLOSED)) assert(!reaches(policies, from, target), name);
      for (const host of [gateway, worker, neighbour])
        for (const port of [8080, 9090]) assert(!reaches(policies, from, { host, port }), `port ${port}`);
    }
  });
  await tests.run('only the ingress reaches the gateway, and only Prometheus the metrics', () => {
    const sources = { traefik, monitoring, stranger, internet, neighbour };
    const reached = Object.entries(sources).flatMap(([from, source]) =>
      Object.entries({ gateway, worker, migrate }).flatMap(([to, host]) =>
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
}

/** Sends the policies of the chart to the server, and reads what it stored. */
export async function storedPolicies(place: Place, options: string[]): Promise<Policy[]> {
  for (const manifest of await place.render(options))
    if (manifest.kind === 'NetworkPolicy') await place.apply(manifest);
  const stored = await place.api.list(place.namespace, 'networking.k8s.io/v1', 'NetworkPolicy');
  assert(stored.length > 0);
  return stored as unknown as Policy[];
}

export function hostOf({ metadata: { labels }, spec }: Pod, namespace: string): Host {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  const named = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
  return { ip: '10.0.0.1', pod: { namespace, labels, ports: named } };
}
