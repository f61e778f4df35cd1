// Every object of the chart passes the server's strict validation, for every kind of values.
import assert from 'node:assert/strict';
import { moduleFile, podMonitorCrd } from '../ops/goModule.ts';
import { LEAST, MOST, setting } from '../ops/helm.ts';
import type { Manifest } from '../ops/kubernetes.ts';
import type { Tests } from '../ops/tests.ts';
import type { ApiServer } from './apiserver.ts';
import { Place } from './place.ts';

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

export async function valid(server: ApiServer, checkout: string, tests: Tests): Promise<void> {
  const place = await Place.open(server, checkout, 'valid');
  await place.define((await moduleFile(podMonitorCrd)) as Manifest);
  const render = (values: string[]): Promise<Manifest[]> => place.render(setting(values));

  for (const [name, values] of Object.entries(VARIANTS))
    await tests.run(`the server accepts every object: ${name}`, async () => {
      const manifests = await render(values);
      for (const manifest of manifests) await place.check(manifest);
      console.log(`  ${manifests.length} objects: ${manifests.map(({ kind }) => kind).join(', ')}`);
    });
  await tests.run('the server refuses a misspelt field and an invalid quantity', async () => {
    const deployment = (await render(LEAST)).find(({ kind }) => kind === 'Deployment');
    const misspelt = { ...deployment, spec: { ...(deployment?.spec as object), replica: 2 } } as Manifest;
    await assert.rejects(place.check(misspelt), /\.spec\.replica: field not declared in schema/);
    const [invalid] = (await render([...LEAST, 'gateway.resources.limits.memory=1 gigabyte'])).filter(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'settee-gateway',
    );
    await assert.rejects(place.check(invalid ?? assert.fail()), /quantit/);
  });
}
