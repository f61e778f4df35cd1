import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { generated } from './generated.ts';

const files = generated().map(([path, content]) => ({ name: basename(path), path, content }));

test.each(files)('$name is current (npm run generate)', ({ path, content }) => {
  expect(readFileSync(path, 'utf8')).toBe(content);
});
