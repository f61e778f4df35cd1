import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_ROOMS } from './serverRooms.ts';

const ROOT = join(import.meta.dirname, '../..');

/** [the rule that must refuse it, the file, its import]. */
const FORBIDDEN: [rule: string, from: string, imported: string][] = [
  ['protocol-imports-valibot-only', 'protocol/src/a.ts', 'node:fs'],
  ['server-not-web', 'server/src/search/d.ts', '../../../web/src/net/api.ts'],
  ['web-not-server', 'web/src/net/a.ts', '../../../server/src/cli.ts'],
  ['visitor-imports-no-other-screen', 'web/src/visitor/A.tsx', '../handler/Queue.tsx'],
  ['handler-imports-no-other-screen', 'web/src/handler/A.tsx', '../visitor/Chat.tsx'],
  ['admin-imports-no-other-screen', 'web/src/admin/A.tsx', '../handler/Queue.tsx'],
  ['landing-imports-no-other-screen', 'web/src/landing/A.tsx', '../visitor/Chat.tsx'],
  ['shared-web-imports-no-screen', 'web/src/chat/A.tsx', '../visitor/Chat.tsx'],
  ['staff-is-for-staff', 'web/src/visitor/C.tsx', '../staff/session.ts'],
  ['ui-knows-nothing', 'web/src/ui/B.tsx', '@settee/protocol/texts/texts'],
  ['conversation-is-pure', 'web/src/chat/model/conversation.ts', './impure.ts'],
  ...SERVER_ROOMS.slice(1).map(([room = ''], i): [rule: string, from: string, imported: string] => {
    const [upper = ''] = SERVER_ROOMS[i] ?? [];
    return ['server-rooms-import-downwards', ...fromRoom(room, upper, `upwards${i}.ts`)];
  }),
  ['server-rooms-import-downwards', ...fromRoom('media', 'search', 'sideways.ts')],
  ['server-rooms-import-downwards', ...fromRoom('staff', 'staff/signIn', 'inside.ts')],
  ['server-folder-is-a-room', ...fromRoom('elsewhere', 'platform/config', 'a.ts')],
  ['only-start-imports-routes', 'server/src/search/c.ts', './search.routes.ts'],
  ['only-stores-have-sql', 'server/src/search/a.ts', 'pg'],
  ['only-stores-have-sql', 'server/src/search/b.ts', '../platform/db/query.ts'],
  ['only-roots-know-adapters', 'server/src/live/b.ts', '../platform/adapters/nats.ts'],
  ['only-roots-know-adapters', 'server/src/live/c.ts', '../push/push.adapter.ts'],
  ['only-the-child-decodes', 'server/src/jobs/j.ts', 'sharp'],
  ['only-the-child-decodes', 'server/src/images/a.ts', './draw.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/a.ts', '../../../bin/tool.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/b.ts', '../../test/engines.setup.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/i.ts', 'vitest'],
  ['server-through-facades', 'e2e/simulation/a.ts', '../../server/src/platform/log/log.ts'],
  ['rules-load-no-engine', 'server/testing/rules.ts', 'pg'],
  ['no-dev-dependency-in-product', 'server/src/jobs/c.ts', 'fast-check'],
  ['no-undeclared-dependency', 'server/src/jobs/d.ts', 'idb-keyval'],
  ['not-to-unresolvable', 'server/src/jobs/e.ts', './nowhere.ts'],
  ['no-circular', 'server/src/jobs/f.ts', './g.ts'],
  ['no-orphans', 'server/src/jobs/h.ts', ''],
];

/** A file of one room that imports one of another. */
function fromRoom(room: string, other: string, file: string): [from: string, imported: string] {
  const from = room.endsWith('.ts') ? room : `${room}/${file}`;
  const to = other.endsWith('.ts') ? other : `${other}/there.ts`;
  const path = relative(dirname(from), to);
  return [`server/src/${from}`, path.startsWith('.') ? path : `./${path}`];
}

const PACKAGES: Record<string, { dependencies: string[]; devDependencies: string[] }> = {
  protocol: { dependencies: ['valibot', 'react'], devDependencies: ['fast-check'] },
  server: { dependencies: ['pg', 'sharp', '@settee/protocol'], devDependencies: ['fast-check'] },
  bench: { dependencies: ['vitest'], devDependencies: [] },
  web: { dependencies: ['react', 'idb-keyval', '@settee/protocol'], devDependencies: [] },
};
const tree = mkdtempSync(join(tmpdir(), 'settee-layers-'));
let violations: { from: string; rule: { name: string } }[] = [];
let rules: { name: string; comment: string }[] = [];

function write(path: string, content: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
}

/** A .tsx file gets some JSX, so that a parser without JSX fails the test. */
function plant(path: string, imported: string): void {
  const jsx = path.endsWith('.tsx') ? 'export const Part = () => <p title="x">text</p>;\n' : '';
  write(path, `${imported === '' ? '' : `import '${imported}';\n`}${jsx}export const planted = 1;\n`);
}

const versions = (names: string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));

beforeAll(() => {
  for (const [name, { dependencies, devDependencies }] of Object.entries(PACKAGES)) {
    const manifest = {
      ...{ name: `@settee/${name}`, type: 'module', exports: { './*': './src/*.ts' } },
      ...{ dependencies: versions(dependencies), devDependencies: versions(devDependencies) },
    };
    write(`${name}/package.json`, JSON.stringify(manifest));
    for (const dependency of [...dependencies, ...devDependencies].filter((it) => !it.startsWith('@'))) {
      write(
        `node_modules/${dependency}/package.json`,
        JSON.stringify({ name: dependency, main: 'index.js' }),
      );
      write(`node_modules/${dependency}/index.js`, '');
    }
  }
  mkdirSync(join(tree, 'node_modules/@settee'));
  symlinkSync('../../protocol', join(tree, 'node_modules/@settee/protocol'));
  write('package.json', JSON.stringify({ name: 'planted', type: 'module' }));
  plant('protocol/src/texts/texts.ts', 'valibot');
  plant('web/src/chat/model/impure.ts', 'react');
  // The other half of the circle.
  plant('server/src/jobs/g.ts', './f.ts');
  for (const [rule, from, imported] of FORBIDDEN) {
    plant(from, imported);
    const target = join(dirname(from), imported);
    const planted = existsSync(join(tree, target)) || FORBIDDEN.some(([, other]) => other === target);
    if (imported.startsWith('.') && !planted && rule !== 'not-to-unresolvable') plant(target, '');
  }
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const folders = ['protocol', 'server', 'web', 'bin', 'e2e'];
  const args = ['--config', join(ROOT, '.dependency-cruiser.mjs'), '--output-type', 'json', ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    ...{ cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser failed:\n${stderr}`);
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: typeof violations; ruleSetUsed: { forbidden: typeof rules } };
  };
  violations = summary.violations;
  rules = summary.ruleSetUsed.forbidden;
}, 120_000);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

test.each(FORBIDDEN)('%s refuses %s importing "%s"', (rule, file) => {
  const refusals = violations.filter(({ from }) => from === file).map((violation) => violation.rule.name);
  expect([...new Set(refusals)]).toEqual([rule]);
});

test('every rule has a plant, and a comment that says where the code belongs', () => {
  expect(new Set(rules.map(({ name }) => name))).toEqual(new Set(FORBIDDEN.map(([rule]) => rule)));
  for (const { comment } of rules) expect(comment).toMatch(/:/);
});

test('no two files of the server have the same name', () => {
  const names = globSync('server/src/**/*.ts', { cwd: ROOT }).map((file) => basename(file));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('routes and pages only read the database', () => {
  expect(writersIn("import { readQueue, type Row, saveReply } from './queue.store.ts';")).toEqual([
    'saveReply',
  ]);
  expect(writersIn("import { insertAudit } from '../platform/db/audit.ts';")).toEqual(['insertAudit']);
  const places = ['**/*.routes.ts', 'pages/*.ts', 'platform/http/*.ts'].map((place) => `server/src/${place}`);
  const files = globSync(places, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(30);
  const writers = files.flatMap((file) => writersIn(readFileSync(join(ROOT, file), 'utf8')));
  expect(writers, 'call an action instead').toEqual([]);
});

/** Names that are imported from a module with SQL and are neither a type nor a query by their verb. */
function writersIn(source: string): string[] {
  return [...source.matchAll(/import (?:type )?{([^}]*)} from '[^']*(?:\.store\.ts|\/db\/\w+\.ts)'/g)]
    .filter(([statement]) => !statement.startsWith('import type'))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !/^(?:type |(?:read|find|list|count|has|is)[A-Z])/.test(name));
}
