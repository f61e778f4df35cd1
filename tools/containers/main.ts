// A real Docker engine, and the shipped files in it: npm run nightly -- --only containers
// node tools/containers/main.ts compose small: only these parts of install, compose, small and units.
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { Tests } from '../ops/tests.ts';
import { pythonProgram } from '../programs.ts';
import { compose, small } from './compose.ts';
import { install } from './install.ts';
import { run, Server, withoutDocker } from './server.ts';
import { makeStandIns } from './standIns.ts';
import { units } from './units.ts';

const chosen = process.argv.slice(2);
const checkout = resolve(import.meta.dirname, '../..');
const parts = Object.entries({ install, compose, small, units }).filter(
  ([name]) => chosen.length === 0 || chosen.includes(name),
);

const tests = new Tests();
await tests.run('hadolint accepts the Dockerfile, and refuses a planted fault', () => {
  const hadolint = pythonProgram('hadolint');
  run(hadolint, [join(checkout, 'Dockerfile')]);
  const planted = join(import.meta.dirname, 'stand-ins/Dockerfile');
  // Images without a version.
  assert.throws(() => run(hadolint, [planted]), /DL3006/);
});
const reason = withoutDocker();
if (reason === undefined) {
  const server = await Server.start(checkout);
  try {
    await makeStandIns(server);
    for (const [, part] of parts) await part(checkout, tests, server);
  } finally {
    await server.stop();
  }
} else for (const [name] of parts) tests.skip(name, reason);
process.exitCode = tests.close() ? 0 : 1;
