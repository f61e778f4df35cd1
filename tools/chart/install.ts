// Helm installs, upgrades, rolls back and removes the chart by the lines of the guides.
import assert from 'node:assert/strict';
import { pageLines } from '../containers/page.ts';
import { waitUntil } from '../engines/process.ts';
import { manifestsIn } from '../ops/helm.ts';
import type { Manifest } from '../ops/kubernetes.ts';
import type { Tests } from '../ops/tests.ts';
import type { Identity, Stored } from './api.ts';
import type { ApiServer } from './apiserver.ts';
import { differences } from './difference.ts';
import { Place } from './place.ts';

const WAIT_SECONDS = 120;
const job: Identity = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'settee-migrate' } };
const deployment = (name: string): Identity => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: `settee-${name}` },
});
/** The kinds of the chart, without the migration. */
const KINDS = [
  ['apps/v1', 'Deployment'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
] as const;
const gateway = deployment('gateway');
const worker = deployment('worker');
const autoscaler: Identity = {
  ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
  metadata: { name: 'settee-gateway' },
};

export async function install(server: ApiServer, checkout: string, tests: Tests): Promise<void> {
  const place = await Place.open(server, checkout, 'settee');
  const { api, namespace } = place;
  const before = await api.everything(namespace);
  const installLine = commandIn(checkout, 'docs/install.md', 'Helm', 'helm install settee');
  const upgradeLine = commandIn(checkout, 'docs/upgrade.md', 'The order', 'helm upgrade');
  const rollbackLine = 'helm rollback settee --namespace settee';
  const replicas = async (): Promise<number> => (await api.get(namespace, gateway)).spec.replicas as number;

  const installed = await tests.run(
    'the line of docs/install.md installs the chart, after the migration',
    async () => {
      await withMigration(place, installLine, 'Complete', async () => {
        assert.deepEqual(await everythingOfHelm(place, before), ['batch/v1 Job settee-migrate']);
      });
      await isAsRendered(place);
      assert.equal(await api.find(namespace, job), undefined);
      return true;
    },
  );
  if (installed === undefined) return;

  await tests.run('a failed migration stops an upgrade before it changes anything', async () => {
    const old = await versions(place);
    await withMigration(place, `${upgradeLine} --set image.tag=99.0.0`, 'Failed');
    assert.deepEqual(changes(old, await versions(place)), []);
    // For its log, until the next try replaces it.
    await api.get(namespace, job);
  });
  await tests.run('an upgrade changes what its values say, and nothing else', async () => {
    const old = await versions(place);
    const line = `${upgradeLine} --set image.tag=99.0.0 --set gateway.replicas=3 --set ingress.enabled=false`;
    await withMigration(place, line, 'Complete');
    assert.deepEqual(changes(old, await versions(place)), [
      'Deployment settee-gateway',
      'Deployment settee-worker',
      'Ingress settee',
    ]);
    assert.equal(await replicas(), 3);
    for (const each of [gateway, worker])
      assert.equal(imageOf(await api.get(namespace, each)), 'registry.example.org/settee:99.0.0');
    await isAsRendered(place);
  });
  await tests.run('upgrade and rollback keep the number that the autoscaler set', async () => {
    await withMigration(place, `${upgradeLine} --set autoscaling.enabled=true`, 'Complete');
    await api.get(namespace, autoscaler);
    // docs/install.md warns about it.
    assert.equal(await replicas(), 1);
    await api.patch(namespace, gateway, 'scale', { spec: { replicas: 7 } });
    await withMigration(place, `${upgradeLine} --set image.tag=0.3.0`, 'Complete');
    assert.equal(imageOf(await api.get(namespace, gateway)), 'registry.example.org/settee:0.3.0');
    assert.equal(await replicas(), 7);
    await place.run(rollbackLine);
    assert.equal(imageOf(await api.get(namespace, gateway)), 'registry.example.org/settee:99.0.0');
    assert.equal(await replicas(), 7);
  });
  await tests.run('a rollback restores the first release', async () => {
    await place.run(`${rollbackLine} 1`);
    await isAsRendered(place, '--revision 1');
    assert.equal(await api.find(namespace, autoscaler), undefined);
  });
  await tests.run('nothing remains after helm uninstall', async () => {
    await place.run('helm uninstall settee --namespace settee');
    assert.deepEqual(await api.everything(namespace), before);
  });
}

/** Runs a command of Helm, which waits for the migration. No controller runs jobs here, so this says how it ended. */
async function withMigration(
  place: Place,
  line: string,
  ending: 'Complete' | 'Failed',
  meanwhile = async (): Promise<void> => {},
): Promise<void> {
  const { api, namespace } = place;
  const old = await api.find(namespace, job);
  let over = false;
  const command = place.run(line).finally(() => {
    over = true;
  });
  const outcome = ending === 'Complete' ? command : assert.rejects(command, /pre-upgrade hooks failed/);
  const started = waitUntil(async () => {
    const found = await api.find(namespace, job);
    return over || (found !== undefined && found.metadata.uid !== old?.metadata.uid);
  }, WAIT_SECONDS);
  const answer = async (): Promise<void> => {
    assert((await started) && !over, 'Helm did not start the migration.');
    await meanwhile();
    await api.patch(namespace, job, 'status', { status: ended(ending) });
  };
  const results = await Promise.allSettled([outcome, answer()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** As the job controller writes it. */
function ended(type: 'Complete' | 'Failed'): object {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const first = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [first, type].map((each) => ({
    ...{ type: each, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason: 'Test' },
  }));
  return type === 'Complete'
    ? { startTime: now, completionTime: now, succeeded: 1, conditions }
    : { startTime: now, failed: 1, conditions };
}

/** Everything except what was there before, and Helm's own records. */
async function everythingOfHelm({ api, namespace }: Place, before: string[]): Promise<string[]> {
  const all = await api.everything(namespace);
  return all.filter((each) => !before.includes(each) && !each.includes(' Secret sh.helm.release.'));
}

/** Every manifest of a release is stored without a change, and there is nothing else. */
async function isAsRendered(place: Place, options = ''): Promise<void> {
  const wanted = await manifests(place, options);
  assert(wanted.length > 0);
  for (const manifest of wanted)
    assert.deepEqual(differences(manifest, await place.api.get(place.namespace, manifest)), []);
}

async function manifests(place: Place, options = ''): Promise<Manifest[]> {
  return manifestsIn(await place.run(`helm get manifest settee --namespace settee ${options}`));
}

/** The version of each object, by its name. */
async function versions({ api, namespace }: Place): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [apiVersion, kind] of KINDS)
    for (const { metadata } of await api.list(namespace, apiVersion, kind))
      found.set(`${kind} ${metadata.name}`, metadata.resourceVersion);
  return found;
}

function changes(old: Map<string, string>, current: Map<string, string>): string[] {
  const names = new Set([...old.keys(), ...current.keys()]);
  return [...names].filter((name) => old.get(name) !== current.get(name)).toSorted();
}

/** A command of a page, with its continued lines. */
function commandIn(checkout: string, page: string, heading: string, start: string): string {
  const block = pageLines(checkout, page, heading, start).join('\n').replaceAll('\\\n', '');
  return block.split('\n').find((line) => line.startsWith(start)) ?? assert.fail(start);
}

const imageOf = ({ spec }: Stored): string | undefined =>
  (spec.template as { spec: { containers: { image: string }[] } }).spec.containers[0]?.image;
