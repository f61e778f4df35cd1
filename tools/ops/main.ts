// Checks the files of ops/ and runs the image's content without Docker: npm run check -- --only ops
// node tools/ops/main.ts --idle-seconds 90: keeps a socket through Caddy longer than usual proxy timeouts.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEngines, stopEngines } from '../engines/engines.ts';
import { caddy } from './caddy.ts';
import { chart } from './chart.ts';
import { composeFile } from './composeFile.ts';
import { production } from './production.ts';
import { systemd } from './systemd.ts';
import { Tests } from './tests.ts';

const instance = 'ops';
const checkout = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { 'idle-seconds': { type: 'string', default: '2' } } });

const tests = new Tests();
await composeFile(checkout, tests);
await chart(checkout, tests);
await systemd(checkout, tests);
const engines = await startEngines({ instance, require: true });
try {
  await production({ checkout, tests, engines }, (installation) =>
    caddy(checkout, tests, installation, Number(values['idle-seconds'])),
  );
} finally {
  await stopEngines({ instance });
}
process.exitCode = tests.close() ? 0 : 1;
