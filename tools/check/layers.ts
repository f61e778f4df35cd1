// Runs dependency-cruiser and says, for every import that a layer forbids, where the code belongs.
// `node tools/check/layers.ts` is the check's step; the test beside it cruises planted trees.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['protocol', 'server', 'web', 'e2e', 'bench', 'bin'];

/** A cruise that saw fewer files than this saw nothing: the tool passes when it cannot read TypeScript. */
export const PLAUSIBLE_MODULES = 20;

export type Violation = { rule: string; from: string; to: string };
export type Cruise = { modules: string[]; violations: Violation[]; comments: Map<string, string> };

type CruiseJson = {
  modules: { source: string }[];
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[];
    ruleSetUsed: { forbidden: { name: string; comment: string }[] };
  };
};

function isOwnSource(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.startsWith('..') && !path.includes('node_modules/');
}

export function cruise(directory: string): Cruise {
  const packages = PACKAGES.filter((name) => existsSync(join(directory, name)));
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(ROOT, '.dependency-cruiser.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program, '--config', config, '--output-type', 'json', ...packages],
    { cwd: directory, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not answer:\n${stderr}`);
  const { modules, summary } = JSON.parse(stdout) as CruiseJson;
  return {
    modules: modules.map((module) => module.source).filter(isOwnSource),
    violations: summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, from, to })),
    comments: new Map(summary.ruleSetUsed.forbidden.map((rule) => [rule.name, rule.comment])),
  };
}

function main(): number {
  const { modules, violations, comments } = cruise(ROOT);
  for (const { rule, from, to } of violations) {
    console.log(`${from}${from === to ? '' : ` imports ${to}`}\n  ${rule}: ${comments.get(rule) ?? ''}\n`);
  }
  console.log(`${modules.length} modules, ${violations.length} forbidden imports`);
  if (modules.length < PLAUSIBLE_MODULES) {
    console.log('The cruise saw almost nothing: is @swc/core installed?');
    return 1;
  }
  return violations.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
