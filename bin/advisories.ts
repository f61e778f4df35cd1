// node bin/advisories.ts: fails if a dependency has a known vulnerability that tools/check/advisories.json does not allow.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Allowed, type AuditReport, findProblems } from '../tools/check/advisories.ts';

const root = join(import.meta.dirname, '..');
const allowed = JSON.parse(readFileSync(join(root, 'tools/check/advisories.json'), 'utf8')) as Allowed[];
const today = new Date().toISOString().slice(0, 10);
const problems = [root, join(root, 'tools/site'), join(root, 'tools/mail')].flatMap((folder) => {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: folder, encoding: 'utf8' });
  const { vulnerabilities } = JSON.parse(stdout || '{}') as Partial<AuditReport>;
  if (vulnerabilities === undefined) {
    console.error('The registry has no list of advisories. Try the official npm registry.');
    process.exit(2);
  }
  return findProblems({ vulnerabilities }, allowed, today);
});
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'No known vulnerability.' : `${problems.length} known vulnerabilities.`);
process.exit(problems.length === 0 ? 0 : 1);
