// Runs Caddy, systemd and the scripts of ops/ with the shipped files: npm run check -- --only ops
// tools/containers and tools/chart run the whole of Compose, the units and the chart, at night.
// node tools/ops/main.ts --idle-seconds 90: keeps a socket through Caddy longer than usual proxy timeouts.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killGateways } from '../../e2e/proof/topology/gatewayProcess.ts';
import { startEngines, stopEngines } from '../engines/engines.ts';
import { createFreshDatabase } from '../freshDatabase.ts';
import { caddy } from './caddy.ts';
import { monitoring, secrets, systemd } from './files.ts';
import { startInstallation } from './installation.ts';
import { proxies } from './proxies.ts';
import { Tests } from './tests.ts';

const STOP_MS = 60_000;
const instance = 'ops';
const checkout = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { 'idle-seconds': { type: 'string', default: '2' } } });

const tests = new Tests();
await secrets(checkout, tests);
await systemd(checkout, tests);
await monitoring(checkout, tests);
const engines = await startEngines({ instance, require: true });
const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'ops' });
try {
  const installation = await startInstallation(checkout, engines, database);
  const idleSeconds = Number(values['idle-seconds']);
  await proxies(checkout, tests, installation, idleSeconds);
  await caddy(checkout, tests, installation, idleSeconds);
  await tests.run('each gateway stops with 0', async () => {
    for (const gateway of installation.gateways)
      assert.equal((await gateway.terminate(STOP_MS)).code, 0, gateway.name);
  });
} finally {
  killGateways();
  await database.drop();
  await stopEngines({ instance });
}
process.exitCode = tests.close() ? 0 : 1;
