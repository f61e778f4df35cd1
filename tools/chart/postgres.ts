// The files of ops/cloudnativepg. The operator does not run here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { moduleFile, postgresClusterCrd } from '../ops/goModule.ts';
import { LEAST, setting } from '../ops/helm.ts';
import type { Manifest } from '../ops/kubernetes.ts';
import type { Tests } from '../ops/tests.ts';
import type { ApiServer } from './apiserver.ts';
import { hostOf, storedPolicies } from './network.ts';
import { Place } from './place.ts';
import { podsOf } from './pods.ts';
import { type Host, reaches } from './reach.ts';

type Cluster = Manifest & { spec: { instances: number } };

export async function postgres(server: ApiServer, checkout: string, tests: Tests): Promise<void> {
  const place = await Place.open(server, checkout, 'postgres');
  const { namespace } = place;
  const page = readFileSync(join(checkout, 'docs/install.md'), 'utf8');
  const folder = join(checkout, 'ops/cloudnativepg');
  const cluster = readFileSync(join(folder, 'cluster.yaml'), 'utf8');
  const manifest = parse(cluster) as Cluster;

  await tests.run('the server accepts the cluster of ops/cloudnativepg', async () => {
    await place.define((await moduleFile(postgresClusterCrd)) as Manifest);
    await place.check(manifest);
    const misspelt = { ...manifest, spec: { ...manifest.spec, instance: 3 } };
    await assert.rejects(place.check(misspelt), /field not declared in schema/);
    // Each Secret that it names is made on the page.
    const names = Array.from(
      cluster.matchAll(/(?:Secret|secret): (?:\{ name: )?([\w-]+)/g),
      ([, name]) => name,
    );
    assert.equal(names.length, 4);
    for (const name of names)
      assert.match(page, new RegExp(`kubectl create secret \\w+ ${name} --namespace settee`));
  });
  await tests.run('with its values, the chart reaches PostgreSQL only in that cluster', async () => {
    const options = [...setting(LEAST), '--values', join(folder, 'values.yaml')];
    const policies = await storedPolicies(place, options);
    const member = (name: string): Host => ({
      ip: '10.0.3.1',
      pod: { namespace, labels: { 'cnpg.io/cluster': name } },
    });
    for (const pod of podsOf(await place.render(options))) {
      const from = hostOf(pod, namespace);
      assert(reaches(policies, from, { host: member(manifest.metadata.name), port: 5432 }));
      for (const host of [member('another'), { ip: '10.0.3.1' }])
        assert(!reaches(policies, from, { host, port: 5432 }), host.ip);
    }
  });
}
