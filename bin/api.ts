// npm run api: writes the description of the calls and frames into docs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiFiles } from '../tools/api/files.ts';

const root = join(import.meta.dirname, '..');

for (const [path, text] of apiFiles()) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}
