// The chart against a real API server of Kubernetes: npm run nightly -- --only chart
// node tools/chart/main.ts network: only this part.
import { resolve } from 'node:path';
import { Tests } from '../ops/tests.ts';
import { ApiServer } from './apiserver.ts';
import { install } from './install.ts';
import { network } from './network.ts';
import { pods } from './pods.ts';
import { postgres } from './postgres.ts';
import { valid } from './valid.ts';

const chosen = process.argv.slice(2);
const checkout = resolve(import.meta.dirname, '../..');

const tests = new Tests();
const server = await ApiServer.start();
console.log(`  the API server was ready after ${server.seconds.toFixed(1)} s`);
try {
  for (const [name, part] of Object.entries({ install, valid, pods, network, postgres }))
    if (chosen.length === 0 || chosen.includes(name)) await part(server, checkout, tests);
} finally {
  await server.stop();
}
process.exitCode = tests.close() ? 0 : 1;
