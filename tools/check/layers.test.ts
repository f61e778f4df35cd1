import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cruise, cruise, PLAUSIBLE_MODULES } from './layers.ts';

const TIMEOUT = 120_000;

/** [the rule that must refuse it, the file, what it imports]. A file ending in .tsx also gets some JSX. */
const FORBIDDEN: [rule: string, from: string, imported: string][] = [
  ['protocol-imports-valibot-only', 'protocol/src/a.ts', 'node:fs'],
  ['protocol-imports-valibot-only', 'protocol/src/b.ts', 'react'],
  ['server-not-web', 'server/src/http/a.ts', '../../../web/src/net/api.ts'],
  ['server-not-web', 'server/src/http/a.test.ts', '../../../web/src/net/api.ts'],
  ['web-not-server', 'web/src/net/a.ts', '../../../server/src/ports.ts'],
  ['visitor-imports-no-other-screen', 'web/src/visitor/A.tsx', '../handler/Queue.tsx'],
  ['handler-imports-no-other-screen', 'web/src/handler/A.tsx', '../visitor/Chat.tsx'],
  ['admin-imports-no-other-screen', 'web/src/admin/A.tsx', '../handler/Queue.tsx'],
  ['landing-imports-no-other-screen', 'web/src/landing/A.tsx', '../visitor/Chat.tsx'],
  ['shared-web-imports-no-screen', 'web/src/chat/A.tsx', '../visitor/Chat.tsx'],
  ['shared-web-imports-no-screen', 'web/src/ui/A.tsx', '../handler/Queue.tsx'],
  ['shared-web-imports-no-screen', 'web/src/staff/A.tsx', '../handler/Queue.tsx'],
  ['staff-is-for-staff', 'web/src/visitor/C.tsx', '../staff/session.ts'],
  ['staff-is-for-staff', 'web/src/chat/C.tsx', '../staff/session.ts'],
  ['ui-knows-nothing', 'web/src/ui/B.tsx', '@settee/protocol/texts/texts'],
  ['ui-knows-nothing', 'web/src/ui/C.tsx', '../net/api.ts'],
  ['ui-knows-nothing', 'web/src/ui/D.tsx', 'idb-keyval'],
  ['conversation-is-pure', 'web/src/chat/model/conversation.ts', './impure.ts'],
  ['only-roots-know-adapters', 'server/src/http/b.ts', '../adapters/nats.ts'],
  ['only-roots-know-adapters', 'server/src/live/a.ts', '../adapters/nats.ts'],
  ['only-roots-know-adapters', 'server/src/actions/a.ts', '../adapters/nats.ts'],
  ['sql-only-in-db', 'server/src/http/c.ts', 'pg'],
  ['sql-only-in-db', 'server/src/live/b.ts', 'kysely'],
  ['actions-know-no-door', 'server/src/actions/b.ts', '../http/route.ts'],
  ['actions-know-no-door', 'server/src/actions/c.ts', '../live/socket.ts'],
  ['db-is-the-bottom', 'server/src/db/a.ts', '../actions/send.ts'],
  ['db-is-the-bottom', 'server/src/db/b.ts', '../http/route.ts'],
  ['db-is-the-bottom', 'server/src/db/c.ts', '../live/socket.ts'],
  ['db-knows-no-app', 'server/src/db/d.ts', '../app.ts'],
  ['db-knows-no-app', 'server/src/db/e.ts', '../auth/refusal.ts'],
  ['only-the-child-decodes', 'server/src/jobs/j.ts', 'sharp'],
  ['only-the-child-decodes', 'server/src/jobs/images/a.ts', './draw.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/a.ts', '../../../bin/tool.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/b.ts', '../../test/engines.setup.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/i.ts', 'vitest'],
  ['no-dev-dependency-in-product', 'server/src/jobs/c.ts', 'fast-check'],
  ['no-undeclared-dependency', 'server/src/jobs/d.ts', 'idb-keyval'],
  ['not-to-unresolvable', 'server/src/jobs/e.ts', './nowhere.ts'],
  ['no-circular', 'server/src/jobs/f.ts', './g.ts'],
  ['no-orphans', 'server/src/jobs/h.ts', ''],
];

const ALLOWED: [from: string, imported: string][] = [
  ['protocol/src/texts/texts.ts', 'valibot'],
  ['protocol/src/texts.test.ts', 'fast-check'],
  ['server/src/main.ts', './adapters/nats.ts'],
  ['server/src/cli.ts', './adapters/nats.ts'],
  ['server/src/jobs/worker.ts', '../adapters/nats.ts'],
  ['server/src/http/c.int.test.ts', '../adapters/nats.ts'],
  ['server/src/http/d.int.test.ts', 'pg'],
  ['server/src/http/e.test.ts', 'vitest'],
  ['server/src/adapters/nats.ts', '../ports.ts'],
  ['server/src/db/pool.ts', 'pg'],
  ['server/src/http/route.ts', '../actions/send.ts'],
  ['server/src/live/socket.ts', '../actions/send.ts'],
  ['server/src/actions/send.ts', '../db/pool.ts'],
  ['server/src/jobs/images/draw.ts', 'sharp'],
  ['server/src/jobs/images/child.ts', './draw.ts'],
  ['server/src/jobs/images/draw.int.test.ts', 'sharp'],
  ['server/src/ports.ts', '@settee/protocol/texts/texts'],
  ['server/src/app.ts', './ports.ts'],
  ['server/src/auth/refusal.ts', '@settee/protocol/texts/texts'],
  // The other half of the circle: dependency-cruiser names a circle once.
  ['server/src/jobs/g.ts', './f.ts'],
  ['server/test/engines.setup.ts', '../../bin/tool.ts'],
  ['bin/tool.ts', 'node:fs'],
  ['web/src/net/api.ts', '@settee/protocol/texts/texts'],
  ['web/src/ui/Button.tsx', 'react'],
  ['web/src/ui/Field.tsx', './field.module.css'],
  ['web/src/chat/model/impure.ts', 'react'],
  ['web/src/staff/session.ts', '@settee/protocol/texts/texts'],
  ['web/src/admin/main.tsx', '../staff/session.ts'],
  ['web/src/visitor/Chat.tsx', '../chat/model/conversation.ts'],
  ['web/src/handler/Queue.tsx', '../ui/Button.tsx'],
  ['web/src/handler/main.tsx', 'fonts/index.css'],
];

const PACKAGES: Record<string, { dependencies: string[]; devDependencies: string[] }> = {
  protocol: { dependencies: ['valibot', 'react'], devDependencies: ['fast-check'] },
  server: { dependencies: ['pg', 'kysely', 'sharp', '@settee/protocol'], devDependencies: ['fast-check'] },
  bench: { dependencies: ['vitest'], devDependencies: [] },
  web: { dependencies: ['react', 'idb-keyval', '@settee/protocol'], devDependencies: ['fonts'] },
};
const tree = mkdtempSync(join(tmpdir(), 'settee-layers-'));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
}

function plant(from: string, imported: string): void {
  const jsx = from.endsWith('.tsx') ? 'export const Part = () => <p title="x">text</p>;\n' : '';
  write(from, `${imported === '' ? '' : `import '${imported}';\n`}${jsx}export const planted = 1;\n`);
}

function versions(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '1.0.0']));
}

let planted: Cruise;

beforeAll(() => {
  for (const [name, { dependencies, devDependencies }] of Object.entries(PACKAGES)) {
    const manifest = {
      name: `@settee/${name}`,
      type: 'module',
      exports: { './*': './src/*.ts' },
      dependencies: versions(dependencies),
      devDependencies: versions(devDependencies),
    };
    write(`${name}/package.json`, JSON.stringify(manifest));
    for (const dependency of [...dependencies, ...devDependencies].filter((it) => !it.startsWith('@'))) {
      write(
        `node_modules/${dependency}/package.json`,
        JSON.stringify({ name: dependency, main: 'dist/index.js' }),
      );
      write(`node_modules/${dependency}/dist/index.js`, '');
    }
  }
  mkdirSync(join(tree, 'node_modules/@settee'));
  symlinkSync('../../protocol', join(tree, 'node_modules/@settee/protocol'));
  write('package.json', JSON.stringify({ name: 'planted', type: 'module' }));
  write('node_modules/fonts/index.css', '');
  write('web/src/ui/field.module.css', '');
  for (const [from, imported] of ALLOWED) plant(from, imported);
  for (const [, from, imported] of FORBIDDEN) plant(from, imported);
  planted = cruise(tree);
}, TIMEOUT);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

function refusalsOf(file: string): string[] {
  return planted.violations.filter(({ from }) => from === file).map(({ rule }) => rule);
}

describe('planted imports', () => {
  test.each(FORBIDDEN)('%s refuses %s importing "%s"', (rule, from) => {
    expect([...new Set(refusalsOf(from))]).toEqual([rule]);
  });

  test.each(ALLOWED)('%s may import "%s"', (from) => {
    expect(planted.modules).toContain(from);
    expect(refusalsOf(from)).toEqual([]);
  });

  test('every rule has a plant, and a comment that teaches', () => {
    expect([...planted.comments.keys()].sort()).toEqual([...new Set(FORBIDDEN.map(([rule]) => rule))].sort());
    for (const comment of planted.comments.values()) expect(comment).toMatch(/:/);
  });
});

test(
  'the cruise of the real tree looks at its files, those with JSX too',
  () => {
    const { modules } = cruise(join(import.meta.dirname, '../..'));
    expect(modules.length).toBeGreaterThan(PLAUSIBLE_MODULES);
    for (const folder of ['protocol/src/', 'server/src/', 'bin/']) {
      expect(modules.some((module) => module.startsWith(folder))).toBe(true);
    }
  },
  TIMEOUT,
);
