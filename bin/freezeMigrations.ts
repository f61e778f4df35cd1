// node bin/freezeMigrations.ts 0.2.0: records the new migrations as part of that release. From then on they must not change.
import { writeFileSync } from 'node:fs';
import { hashOf, RELEASED, readReleased, unreleasedFiles } from '../tools/migrations/released.ts';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error('Which version? node bin/freezeMigrations.ts 0.2.0');
}
const released = readReleased();
if (released[version] !== undefined) throw new Error(`${version} is frozen already.`);
const files = Object.fromEntries(unreleasedFiles().map((file) => [file, hashOf(file)]));
writeFileSync(RELEASED, `${JSON.stringify({ ...released, [version]: files }, null, 2)}\n`);
console.log(`${version}: ${Object.keys(files).length} migrations.`);
