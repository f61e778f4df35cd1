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
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ROOT_FILES_MAX = 8;

/** [the rule that must refuse it, the file, its import]. */
const FORBIDDEN: [rule: string, from: string, imported: string][] = [
  ['protocol-imports-valibot-only', 'protocol/src/a.ts', 'node:fs'],
  ['server-not-web', 'server/src/http/a.ts', '../../../web/src/net/api.ts'],
  ['web-not-server', 'web/src/net/a.ts', '../../../server/src/ports.ts'],
  ['visitor-imports-no-other-screen', 'web/src/visitor/A.tsx', '../handler/Queue.tsx'],
  ['handler-imports-no-other-screen', 'web/src/handler/A.tsx', '../visitor/Chat.tsx'],
  ['admin-imports-no-other-screen', 'web/src/admin/A.tsx', '../handler/Queue.tsx'],
  ['landing-imports-no-other-screen', 'web/src/landing/A.tsx', '../visitor/Chat.tsx'],
  ['shared-web-imports-no-screen', 'web/src/chat/A.tsx', '../visitor/Chat.tsx'],
  ['staff-is-for-staff', 'web/src/visitor/C.tsx', '../staff/session.ts'],
  ['ui-knows-nothing', 'web/src/ui/B.tsx', '@settee/protocol/texts/texts'],
  ['conversation-is-pure', 'web/src/chat/model/conversation.ts', './impure.ts'],
  ['only-roots-know-adapters', 'server/src/http/b.ts', '../adapters/nats.ts'],
  ['sql-only-in-db', 'server/src/http/c.ts', 'pg'],
  ['start-imports-downwards', 'server/src/start/z.ts', '../main.ts'],
  ['cli-imports-downwards', 'server/src/cli/z.ts', '../main.ts'],
  ['live-imports-downwards', 'server/src/live/z.ts', '../gateway.ts'],
  ['http-imports-downwards', 'server/src/http/z.ts', '../live/socket.ts'],
  ['jobs-imports-downwards', 'server/src/jobs/z.ts', '../actions/send.ts'],
  ['access-imports-downwards', 'server/src/backup/z.ts', '../jobs/job.ts'],
  ['auth-imports-downwards', 'server/src/auth/z.ts', '../access.ts'],
  ['app-imports-downwards', 'server/src/app.ts', './auth/refusal.ts'],
  ['log-imports-downwards', 'server/src/log/z.ts', '../app.ts'],
  ['limits-imports-downwards', 'server/src/metrics/z.ts', '../db/query.ts'],
  ['config-imports-downwards', 'server/src/config/z.ts', '../limits/limit.ts'],
  ['actions-imports-downwards', 'server/src/actions/b.ts', '../http/route.ts'],
  ['server-folder-has-a-floor', 'server/src/elsewhere/a.ts', '../config/setting.ts'],
  ['http-writes-through-actions', 'server/src/http/g.ts', '../db/audit/audit.ts'],
  ['http-writes-through-actions', 'server/src/http/h.ts', '../db/message/appender.ts'],
  ['db-imports-downwards', 'server/src/db/a.ts', '../actions/send.ts'],
  ['db-imports-downwards', 'server/src/db/e.ts', '../auth/refusal.ts'],
  ['only-the-child-decodes', 'server/src/jobs/j.ts', 'sharp'],
  ['only-the-child-decodes', 'server/src/jobs/images/a.ts', './draw.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/a.ts', '../../../bin/tool.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/b.ts', '../../test/engines.setup.ts'],
  ['product-imports-no-tests-or-tools', 'server/src/jobs/i.ts', 'vitest'],
  ['server-through-facades', 'e2e/simulation/a.ts', '../../server/src/log/log.ts'],
  ['rules-load-no-engine', 'server/testing/rules.ts', 'pg'],
  ['no-dev-dependency-in-product', 'server/src/jobs/c.ts', 'fast-check'],
  ['no-undeclared-dependency', 'server/src/jobs/d.ts', 'idb-keyval'],
  ['not-to-unresolvable', 'server/src/jobs/e.ts', './nowhere.ts'],
  ['no-circular', 'server/src/jobs/f.ts', './g.ts'],
  ['no-orphans', 'server/src/jobs/h.ts', ''],
];

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
  expect(rules.map(({ name }) => name).sort()).toEqual([...new Set(FORBIDDEN.map(([rule]) => rule))].sort());
  for (const { comment } of rules) expect(comment).toMatch(/:/);
});

test('the root of server/src stays small', () => {
  const files = globSync('server/src/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length, 'move it to a folder').toBeLessThanOrEqual(ROOT_FILES_MAX);
});

test('http imports queries from db, and nothing that writes', () => {
  expect(writersIn("import { readQueue, type Row, saveReply } from '../db/queue.ts';")).toEqual([
    'saveReply',
  ]);
  const files = globSync('server/src/http/*.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(20);
  const writers = files.flatMap((file) => writersIn(readFileSync(join(ROOT, file), 'utf8')));
  expect(writers, 'call an action instead').toEqual([]);
});

/** Names that are imported from db and are neither a type nor a query by their verb. */
function writersIn(source: string): string[] {
  return [...source.matchAll(/import (?:type )?{([^}]*)} from '\.\.\/db\//g)]
    .filter(([statement]) => !statement.startsWith('import type'))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !/^(?:type |(?:read|find|list|count|has|is)[A-Z])/.test(name));
}
