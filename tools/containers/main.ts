// Real containers: npm run nightly -- --only containers
// node tools/containers/main.ts compose install: only these parts of image, compose and install.
import { resolve } from 'node:path';
import { Tests } from '../ops/tests.ts';
import { makeBases } from './bases.ts';
import { compose } from './compose.ts';
import { image } from './image.ts';
import { install } from './install.ts';
import { installTools } from './tools.ts';

const chosen = process.argv.slice(2);
const checkout = resolve(import.meta.dirname, '../..');

const tests = new Tests();
await installTools();
await makeBases((line) => console.log(line));
for (const [name, part] of Object.entries({ image, compose, install }))
  if (chosen.length === 0 || chosen.includes(name)) await part(checkout, tests);
process.exitCode = tests.close() ? 0 : 1;
