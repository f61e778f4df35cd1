// Helm installs, upgrades, rolls back and removes the chart by the lines of the guides.
import assert from 'node:assert/strict';
import { pageLines } from '../containers/guide.ts';
import { waitUntil } from '../engines/process.ts';
import type { Tests } from '../ops/tests.ts';
import type { Cluster } from './cluster.ts';

const WAIT_SECONDS = 120;
const NAMESPACE = 'settee';
const IN = `--namespace ${NAMESPACE}`;

export async function install(cluster: Cluster, tests: Tests): Promise<void> {
  await cluster.createNamespace(NAMESPACE);
  const before = await everything(cluster);
  const installLine = commandIn(cluster.checkout, 'docs/install-kubernetes.md', 'helm install settee');
  const upgradeLine = commandIn(cluster.checkout, 'docs/upgrade.md', 'helm upgrade');
  const rollbackLine = `helm rollback settee ${IN}`;
  const gateway = (field: string): Promise<string> =>
    cluster.run(`kubectl get deployment settee-gateway ${IN} --output 'jsonpath={${field}}'`);
  const image = (): Promise<string> => gateway('.spec.template.spec.containers[0].image');
  const replicas = (): Promise<string> => gateway('.spec.replicas');

  const installed = await tests.run(
    'the line of the guide installs the chart, after the migration',
    async () => {
      await withMigration(cluster, installLine, 'Complete', async () => {
        const now = names(await everything(cluster)).filter((each) => !names(before).includes(each));
        assert.deepEqual(now, ['Job settee-migrate']);
      });
      await isAsRendered(cluster);
      assert(!names(await everything(cluster)).includes('Job settee-migrate'));
      return true;
    },
  );
  if (installed === undefined) return;

  await tests.run('a failed migration stops an upgrade before it changes anything', async () => {
    const old = await everything(cluster);
    await withMigration(cluster, `${upgradeLine} --set image.tag=99.0.0`, 'Failed');
    // For its log, the job remains until the next try replaces it.
    assert.deepEqual(changes(old, await everything(cluster)), ['Job settee-migrate']);
  });
  await tests.run('an upgrade changes what its values say, and nothing else', async () => {
    const old = await everything(cluster);
    const line = `${upgradeLine} --set image.tag=99.0.0 --set gateway.replicas=3 --set ingress.enabled=false`;
    await withMigration(cluster, line, 'Complete');
    assert.deepEqual(changes(old, await everything(cluster)), [
      'Deployment settee-gateway',
      'Deployment settee-worker',
      'Ingress settee',
      'Job settee-migrate',
    ]);
    assert.deepEqual([await replicas(), await image()], ['3', 'registry.example.org/settee:99.0.0']);
    await isAsRendered(cluster);
  });
  await tests.run('upgrade and rollback keep the number that the autoscaler set', async () => {
    await withMigration(cluster, `${upgradeLine} --set autoscaling.enabled=true`, 'Complete');
    // The guide warns about it.
    assert.equal(await replicas(), '1');
    await cluster.run(`kubectl scale deployment settee-gateway ${IN} --replicas=7`);
    await withMigration(cluster, `${upgradeLine} --set image.tag=0.3.0`, 'Complete');
    assert.deepEqual([await replicas(), await image()], ['7', 'registry.example.org/settee:0.3.0']);
    await cluster.run(rollbackLine);
    assert.deepEqual([await replicas(), await image()], ['7', 'registry.example.org/settee:99.0.0']);
  });
  await tests.run('a rollback restores the first release', async () => {
    await cluster.run(`${rollbackLine} 1`);
    await isAsRendered(cluster, '--revision 1');
    assert(!names(await everything(cluster)).includes('HorizontalPodAutoscaler settee-gateway'));
  });
  await tests.run('nothing remains after helm uninstall', async () => {
    await cluster.run(`helm uninstall settee ${IN}`);
    assert.deepEqual(await everything(cluster), before);
    assert.equal(await cluster.run(`kubectl get secrets ${IN} --output name`), '');
  });
}

/** Runs a command of Helm, which waits for the migration. No controller runs jobs here, so this says how it ended. */
async function withMigration(
  cluster: Cluster,
  line: string,
  ending: 'Complete' | 'Failed',
  meanwhile = async (): Promise<void> => {},
): Promise<void> {
  const job = (): Promise<string> =>
    cluster.run(
      `kubectl get job settee-migrate ${IN} --ignore-not-found --output 'jsonpath={.metadata.uid}'`,
    );
  const old = await job();
  let over = false;
  const command = cluster.run(line).finally(() => {
    over = true;
  });
  const outcome = ending === 'Complete' ? command : assert.rejects(command, /pre-upgrade hooks failed/);
  const answer = async (): Promise<void> => {
    const isNew = async (): Promise<boolean> => over || !['', old].includes(await job());
    assert((await waitUntil(isNew, WAIT_SECONDS)) && !over, 'Helm did not start the migration.');
    await meanwhile();
    const patch = JSON.stringify({ status: ended(ending) });
    await cluster.run(
      `kubectl patch job settee-migrate ${IN} --subresource=status --type=merge --patch '${patch}'`,
    );
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

/** Applying the manifests of the release again would change nothing. */
async function isAsRendered(cluster: Cluster, options = ''): Promise<void> {
  const manifest = `helm get manifest settee ${IN} ${options}`;
  assert.notEqual((await cluster.run(manifest)).trim(), '');
  await cluster.run(`${manifest} | kubectl diff --server-side --force-conflicts ${IN} --filename - >&2`);
}

/** The version of each object, by its kind and name. Without secrets, because Helm keeps its records in them. */
async function everything(cluster: Cluster): Promise<Map<string, string>> {
  const format = '{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const lines = await cluster.run(`
    kinds=$(kubectl api-resources --namespaced --verbs=list --output name | grep -vE '^(secrets|events)' | paste -sd,)
    kubectl get "$kinds" ${IN} --output 'jsonpath=${format}'`);
  const objects = lines.split('\n').filter((line) => line !== '');
  return new Map(
    objects.map((line) => line.split(' ')).map(([kind, name, version = '']) => [`${kind} ${name}`, version]),
  );
}

const names = (objects: Map<string, string>): string[] => [...objects.keys()];

function changes(old: Map<string, string>, current: Map<string, string>): string[] {
  const all = new Set([...old.keys(), ...current.keys()]);
  return [...all].filter((name) => old.get(name) !== current.get(name)).toSorted();
}

/** A command of a page, with its continued lines. */
function commandIn(checkout: string, page: string, start: string): string {
  const block = pageLines(checkout, page, start).join('\n').replaceAll('\\\n', '');
  return block.split('\n').find((line) => line.startsWith(start)) ?? assert.fail(start);
}
