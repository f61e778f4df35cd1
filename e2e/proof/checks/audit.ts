import type { WatchEvent } from '../history.ts';
import { type Checked, only } from './checked.ts';

/** Compares the actions with the entries, by action and target. An action without an answer may have happened. */
export function checkAudit(events: readonly WatchEvent[]): Checked {
  const found: string[] = [];
  const [chain] = only(events, 'auditChain');
  if (chain === undefined) found.push('the audit log was not verified');
  else if (chain.problem !== null) found.push(chain.problem);
  const entries = new Map(
    only(events, 'audited').map(({ action, target, entries: count }) => [`${action} ${target}`, count]),
  );
  const actions = only(events, 'action');
  for (const [key, own] of Map.groupBy(actions, ({ action, target }) => `${action} ${target}`)) {
    const done = own.filter((each) => each.done).length;
    const count = entries.get(key) ?? 0;
    if (count < done || count > own.length) found.push(`${key}: ${done} done, ${count} entries`);
  }
  const observed = `${actions.length} actions, a log of ${chain?.entries} entries`;
  return { found, observed: actions.length === 0 ? '' : observed };
}
