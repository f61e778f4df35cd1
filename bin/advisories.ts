// node bin/advisories.ts: fails if a dependency has a known vulnerability that tools/check/advisories.json does not allow.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A vulnerability that we accept until a date, and why. */
export type Allowed = { advisory: string; reason: string; until: string };

type Via = string | { url: string; title: string; severity: string };

/** The part of `npm audit --json` that we read. */
export type AuditReport = { vulnerabilities: Record<string, { severity: string; via: Via[] }> };

/** Low ones do not fail the check. */
const SERIOUS = new Set(['moderate', 'high', 'critical']);

/** The advisories that fail the check: new ones, and allowed ones whose date has passed. */
export function findProblems(report: AuditReport, allowed: readonly Allowed[], today: string): string[] {
  const problems = new Map<string, string>();
  for (const [name, { via }] of Object.entries(report.vulnerabilities)) {
    for (const cause of via) {
      // A text names another package of the report, which is the cause.
      if (typeof cause === 'string' || !SERIOUS.has(cause.severity)) continue;
      const entry = allowed.find(({ advisory }) => cause.url.endsWith(`/${advisory}`));
      if (entry !== undefined && entry.until >= today) continue;
      const why = entry === undefined ? '' : ` (was allowed until ${entry.until})`;
      problems.set(cause.url, `${name}: ${cause.title} (${cause.severity}), ${cause.url}${why}`);
    }
  }
  return [...problems.values()];
}

if (import.meta.main) {
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
  console.log(
    problems.length === 0 ? 'No known vulnerability.' : `${problems.length} known vulnerabilities.`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}
