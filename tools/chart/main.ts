// The chart against a real API server of Kubernetes: npm run nightly -- --only chart
// node tools/chart/main.ts network: only this part.
import { resolve } from 'node:path';
import { Tests } from '../ops/tests.ts';
import { Cluster } from './cluster.ts';
import { install } from './install.ts';
import { network } from './network.ts';
import { valid } from './valid.ts';

const chosen = process.argv.slice(2);

const tests = new Tests();
const cluster = await Cluster.start(resolve(import.meta.dirname, '../..'));
try {
  for (const [name, part] of Object.entries({ valid, network, install }))
    if (chosen.length === 0 || chosen.includes(name)) await part(cluster, tests);
} finally {
  await cluster.stop();
}
process.exitCode = tests.close() ? 0 : 1;
