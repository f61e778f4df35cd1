// Whatever an image would run, run without one: `npm run check -- --only ops`.
// node tools/ops/main.ts --idle-seconds 90: a socket through Caddy longer than the minute after which proxies like to cut.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEngines, stopEngines } from '../engines/engines.ts';
import { caddy } from './caddy.ts';
import { chart } from './chart.ts';
import { composeFile } from './composeFile.ts';
import { production } from './production.ts';
import { systemd } from './systemd.ts';
import { Tests } from './tests.ts';

const INSTANCE = 'ops';
const checkout = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({ options: { 'idle-seconds': { type: 'string', default: '2' } } });
const idleSeconds = Number(values['idle-seconds']);

const tests = new Tests();
await composeFile(checkout, tests);
await chart(checkout, tests);
await systemd(checkout, tests);
const engines = await startEngines({ instance: INSTANCE, require: true });
try {
  await production({ checkout, tests, engines }, (standing) => caddy(checkout, tests, standing, idleSeconds));
} finally {
  await stopEngines({ instance: INSTANCE });
}
process.exitCode = tests.close() ? 0 : 1;
