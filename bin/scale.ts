// npm run scale: writes the tables of docs/scale.md anew, from what `npm run bench` measured.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../bench/src/report.ts';
import { fillTables } from '../tools/scale/tables.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/scale.md');
const measured = JSON.parse(readFileSync(join(root, 'bench/measured.json'), 'utf8')) as Results;
writeFileSync(page, fillTables(readFileSync(page, 'utf8'), measured));
