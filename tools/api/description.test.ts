import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test, vi } from 'vitest';
import { calls } from '../../protocol/src/calls/http.ts';
import { routeRules } from '../../server/test/access/routes.ts';
import { apiFiles } from './files.ts';
import { frames } from './frames.ts';
import { openApi } from './openapi.ts';
import { otherPaths } from './otherPaths.ts';
import { plain, type Schema } from './plain.ts';
import { ANYTHING } from './schemas.ts';

vi.setConfig({ testTimeout: 60_000 });

const root = join(import.meta.dirname, '../..');
const api = openApi();
const socket = frames();

test('[OPEN-263] what stands in docs is what the schemas say now', () => {
  for (const [path, text] of apiFiles()) {
    const same = readFileSync(join(root, path), 'utf8') === text;
    expect(same, `${path} is not what the schemas say: npm run api writes it anew`).toBe(true);
  }
});

test('[OPEN-263] it is OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(api))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('[OPEN-263] every call is described once, under its method and path', () => {
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

/** Where a schema says nothing at all about a value: every `{}`, with its place. */
function holes(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const part = schema as Record<string, unknown>;
  const says = ['type', 'const', 'enum', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => key in part);
  if (!says) return part.description === ANYTHING ? [] : [at];
  // An object says which fields it has, or which it may have.
  if (part.type === 'object' && !('properties' in part) && !('additionalProperties' in part)) return [at];
  if (part.type === 'array' && !('items' in part)) return [at];
  const inner = [
    ...Object.entries((part.properties ?? {}) as object),
    ...Object.entries({ items: part.items, rest: part.additionalProperties, names: part.propertyNames }),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => Object.entries((part[key] ?? []) as object)),
  ];
  return inner.filter(([, of]) => of !== undefined).flatMap(([key, of]) => holes(of, `${at}.${key}`));
}

/** Every schema that the description holds, by its place. */
function schemasIn(value: unknown, at: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    if (key === 'schema' || key === 'payload') return [[`${at}.${key}`, part]];
    if (key !== 'schemas') return schemasIn(part, `${at}.${key}`);
    return Object.entries(part as object).map(([name, schema]) => [`${at}.${name}`, schema]);
  });
}

test('[OPEN-263] nothing that has a shape is described as if it had none', () => {
  const described = [...schemasIn(api, 'openapi'), ...schemasIn(socket, 'frames')];
  expect(described.length).toBeGreaterThan(200);
  expect(described.flatMap(([at, schema]) => holes(schema, at))).toEqual([]);
  // The finder finds: what is empty, and what is empty far inside.
  expect(holes({}, 'x')).toEqual(['x']);
  expect(holes({ type: 'object', properties: { a: { anyOf: [{ type: 'array' }] } } }, 'x')).toEqual([
    'x.a.0',
  ]);
  const anything = described.filter(([, schema]) => JSON.stringify(schema).includes(ANYTHING));
  expect(anything.map(([at]) => at)).toEqual([
    'openapi.components.MadePasskey',
    'openapi.components.ShownPasskey',
    'frames.components.MadePasskey',
    'frames.components.ShownPasskey',
  ]);
});

test('[OPEN-263] every reference leads to something', () => {
  for (const document of [api, socket]) {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of new Set(refs)) {
      const found = ref
        .split('/')
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document);
      expect([ref, found === undefined]).toEqual([ref, false]);
    }
  }
});

test('[OPEN-263] what is served and is no call is listed', () => {
  // The access matrix compares its table with the routes of a server that runs; here the table is compared with the list.
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

test('[OPEN-263] a rule that nobody has words for stops the writing', () => {
  const text = { kind: 'schema', type: 'string' } as const;
  const odd = { kind: 'transformation', type: 'transform', operation: () => '' } as const;
  expect(() => plain({ ...text, pipe: [text, odd] } as Schema)).toThrow('no words for a transform');
  const check = { kind: 'validation', type: 'check', message: 'a rule of tomorrow' } as const;
  expect(() => plain({ ...text, pipe: [text, check] } as Schema)).toThrow('no words for a check');
});
