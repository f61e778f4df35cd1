import { type Access, accessTo } from '../access.ts';
import type { App } from '../app.ts';
import type { Staff } from '../caller.ts';
import { Refused } from '../refused.ts';
import { changeStatus, type StatusChange } from './changeStatus.ts';

/** Close, block or reopen: a member of staff's decision about a conversation at their desk. */
export async function setStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  change: Omit<StatusChange, 'from'>,
): Promise<Access> {
  const { status, reason, hours } = change;
  if (hours !== undefined && status !== 'blocked') throw new Refused('bad_request');
  const before = await accessTo(app, staff, conversationId);
  // A block can be given another reason, or another end.
  const tellsMore = status === 'blocked' && (reason !== undefined || hours !== undefined);
  if (before.conversation.status === status && !tellsMore) return before;
  if (!(await changeStatus(app, staff, conversationId, change))) throw new Refused('not_found');
  return accessTo(app, staff, conversationId);
}
