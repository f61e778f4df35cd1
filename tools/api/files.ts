import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frames } from './frames.ts';
import { withCalls } from './markdown.ts';
import { openApi } from './openapi.ts';
import { page } from './page.ts';

const GUIDE = 'docs/api.md';

/** Everything that `npm run api` writes, by path. The same schemas make the same bytes. */
export function apiFiles(): Map<string, string> {
  const described = openApi();
  const socket = frames();
  const guide = readFileSync(join(import.meta.dirname, '../..', GUIDE), 'utf8');
  return new Map([
    ['docs/api/openapi.json', `${JSON.stringify(described, null, 2)}\n`],
    ['docs/api/frames.json', `${JSON.stringify(socket, null, 2)}\n`],
    ['docs/api/index.html', page(described, socket)],
    [GUIDE, withCalls(guide, described)],
  ]);
}
