// node bin/freezeMigrations.ts 0.2.0: records the new migrations as part of that release. From then on they must not change.
// It can run again until the release has its tag. With --check it changes nothing, and fails if a migration is not recorded.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hashOf, RELEASED, readReleased, unreleasedFiles } from '../tools/migrations/read.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const USAGE = 'node bin/freezeMigrations.ts 0.2.0 [--check]';
if (values.help) {
  console.log(
    `${USAGE}: records the new migrations as part of that release, or fails if one is not recorded`,
  );
  process.exit();
}
const [version] = positionals;
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error(`Which version? ${USAGE}`);
}
const released = readReleased();
const fresh = unreleasedFiles();
if (values.check) {
  if (fresh.length > 0)
    throw new Error(
      `These migrations belong to no release: ${fresh.join(', ')}. Run node bin/freezeMigrations.ts ${version}`,
    );
} else {
  if (execFileSync('git', ['tag', '--list', `v${version}`], { encoding: 'utf8' }) !== '')
    throw new Error(`${version} has a tag already, so its migrations are final.`);
  const files = Object.fromEntries(fresh.map((file) => [file, hashOf(file)]));
  const all = { ...released, [version]: { ...released[version], ...files } };
  writeFileSync(RELEASED, `${JSON.stringify(all, null, 2)}\n`);
}
console.log(`${version}: ${fresh.length} new migrations.`);
