import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { bareReactDom } from './bareReactDom.ts';

const require = createRequire(import.meta.url);
const SHARED = '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
type Shared = { d: Record<string, () => unknown> };

test('what stands for react-dom in the visitor’s page has the shape of React’s own', () => {
  const own: Record<string, Shared> = {};
  runInNewContext(bareReactDom, { exports: own });
  const real = require('react-dom') as Record<string, Shared>;
  expect(Object.keys(own)).toEqual([SHARED]);
  const shape = ({ d, ...rest }: Shared) => ({ ...rest, d: Object.keys(d) });
  expect(shape(own[SHARED] as Shared)).toEqual(shape(real[SHARED] as Shared));
});

test('react-dom/client takes nothing else from react-dom', () => {
  const file = require.resolve('react-dom/client').replace('client.js', 'cjs/react-dom-client.production.js');
  const client = readFileSync(file, 'utf8');
  expect(client.match(/require\("react-dom"\)/g)).toHaveLength(1);
  expect(client).toContain('ReactDOM = require("react-dom")');
  expect(client.match(/\bReactDOM\b(?!\s*=\s*require).{0,80}/g)).toEqual([
    expect.stringContaining(`ReactDOM.${SHARED}`),
  ]);
});
