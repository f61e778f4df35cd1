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
