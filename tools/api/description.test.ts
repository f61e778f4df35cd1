import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test, vi } from 'vitest';
import { calls } from '../../protocol/src/calls/http.ts';
import { ErrorCode } from '../../protocol/src/model/errorCodes.ts';
import { routeRules } from '../../server/test/access/who.ts';
import { frames } from './frames.ts';
import { openApi, otherPaths } from './openapi.ts';
import { withCalls, withLimits } from './pages.ts';
import { ANYTHING } from './schemas.ts';
import { WIRE_CHANGED, wire, wireHash } from './wire.ts';

vi.setConfig({ testTimeout: 60_000 });

const ROOT = join(import.meta.dirname, '../..');
const api = openApi();

test('the list of calls and the wire format in docs/api.md are current', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  expect(guide.includes(wireHash()), `${WIRE_CHANGED}\nThen run npm run api.`).toBe(true);
  expect(withCalls(guide, api) === guide, 'docs/api.md is outdated: run npm run api').toBe(true);
});

test('the limits in docs/security.md are those of the code', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  expect(withLimits(page) === page, 'docs/security.md is outdated: run npm run api').toBe(true);
});

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(api))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every schema that crosses the wire has a JSON schema that says something', () => {
  const { up, visitorDown, staffDown, calls: described } = wire();
  for (const each of [up, visitorDown, staffDown, ...Object.values(described).map(({ answer }) => answer)]) {
    expect(Object.keys(each as object)).toEqual(
      expect.arrayContaining([expect.stringMatching(/anyOf|oneOf|properties/)]),
    );
  }
});

test('every call is described once, under its method and path', () => {
  const described = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ]),
  );
  const called = Object.entries(calls).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(called));
  expect(described.length).toBe(called.length);
});

test('only the data of an authenticator is described as any value', () => {
  const unchecked = Object.entries({
    ...api.paths,
    ...api.components.schemas,
    ...frames().components.messages,
  })
    .filter(([, part]) => JSON.stringify(part).includes(ANYTHING))
    .map(([name]) => name);
  expect(unchecked).toEqual(['MadePasskey', 'ShownPasskey']);
});

test('every route that is not a call is listed', () => {
  // The access matrix compares its table with the routes of a running server. This compares the list with the table.
  const known = otherPaths.map(({ path }) => path.replaceAll(/\{\w+\}/g, '*'));
  const below = (path: string) => known.some((listed) => path === listed || path.startsWith(`${listed}/`));
  const named = otherPaths.map(({ what }) => what).join(' ');
  const served = Object.keys(routeRules).map((pattern) =>
    (pattern.split(' ')[1] ?? '').replaceAll(/:\w+(?:\(.*?\$\))?/g, '*').replace(/(.)\/$/, '$1'),
  );
  const missing = served.filter(
    (path) => !below(path) && !named.includes(path) && !/^\/icon-.+\.png$/.test(path),
  );
  expect(missing).toEqual([]);
});

/** The files that only list the codes. */
const LISTS = ['protocol/src/model/errorCodes.ts', 'protocol/src/calls/errors.ts'];

test('[API-01] every refusal in the protocol is one that a client can get', () => {
  const code = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src', 'protocol/src'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !LISTS.includes(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  expect(ErrorCode.options.filter((each) => !code.includes(`'${each}'`))).toEqual([]);
});
