import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_ROOMS } from './check/serverRooms.ts';
import { generated } from './configuration.ts';

const root = join(import.meta.dirname, '..');
const files = generated().map(([path, content]) => ({ name: basename(path), path, content }));

test.each(files)('$name is current (npm run generate)', ({ path, content }) => {
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test.each(['light', 'dark'])('the %s diagrams name code that exists, and the layers', (theme) => {
  const textsOf = (name: string, kind: string): string[] =>
    Array.from(
      readFileSync(join(root, `docs/pictures/${name}-${theme}.svg`), 'utf8').matchAll(
        new RegExp(`<text class="${kind}"[^>]*>([^<]+)<`, 'g'),
      ),
      ([, text = '']) => text,
    );
  const paths = textsOf('architecture', 'code').map((path) =>
    path.startsWith('platform/') ? `server/src/${path}` : path,
  );
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(textsOf('layers', 'name')).toEqual(SERVER_ROOMS.flat());
});
