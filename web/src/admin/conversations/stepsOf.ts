/**
 * So many conversations one call changes. Each is a transaction of its own that waits for its line in the audit log: of
 * as many as the call would take, a busy installation could make more than a page waits for an answer, and the page
 * would call failed what goes on behind it.
 */
const STEP = 25;

export function stepsOf(ids: readonly string[]): string[][] {
  const steps: string[][] = [];
  for (let from = 0; from < ids.length; from += STEP) steps.push(ids.slice(from, from + STEP));
  return steps;
}
