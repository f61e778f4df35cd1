// Real containers: npm run nightly -- --only containers
// node tools/containers/main.ts compose install: only these parts of image, compose, install and units.
import { resolve } from 'node:path';
import { Tests } from '../ops/tests.ts';
import { makeBases } from './bases.ts';
import { compose } from './compose.ts';
import { image } from './image.ts';
import { install } from './install.ts';
import { installTools } from './tools.ts';
import { units } from './units.ts';

const chosen = process.argv.slice(2);
const checkout = resolve(import.meta.dirname, '../..');

const tests = new Tests();
await installTools();
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
const parts = Object.entries({ image, compose, install }).filter(([name]) => isChosen(name));
if (parts.length > 0) await makeBases((line) => console.log(line));
for (const [, part] of parts) await part(checkout, tests);
if (isChosen('units')) await units(checkout, tests);
process.exitCode = tests.close() ? 0 : 1;
