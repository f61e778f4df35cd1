// Whatever an image would run, run without one: `npm run check -- --only ops`.
import { resolve } from 'node:path';
import { startEngines, stopEngines } from '../engines/engines.ts';
import { production } from './production.ts';
import { Tests } from './tests.ts';

const INSTANCE = 'ops';
const checkout = resolve(import.meta.dirname, '../..');

const tests = new Tests();
const engines = await startEngines({ instance: INSTANCE, require: true });
try {
  await production({ checkout, tests, engines }, async () => {});
} finally {
  await stopEngines({ instance: INSTANCE });
}
process.exitCode = tests.close() ? 0 : 1;
