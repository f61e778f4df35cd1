import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type Access, accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { changeStatus, type StatusChange } from './changeStatus.ts';

/**
 * Close, block or reopen: a member of staff's decision about a conversation at their desk. It is not carried out on one
 * that somebody else has changed since; and a block ends only by the word of who knows of it.
 */
export async function setStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  change: StatusChange,
): Promise<Access> {
  const { status, reason, hours } = change;
  if (hours !== undefined && status !== 'blocked') throw new Refusal('bad_request');
  const before = await accessTo(app, staff, conversationId);
  // A block can be given another reason, or another end.
  const tellsMore = status === 'blocked' && (reason !== undefined || hours !== undefined);
  if (before.conversation.status === status && !tellsMore) return before;
  // Pages of the release before do not say `from`. But only who ends a block says why something is open again.
  const from = change.from ?? (reason === undefined ? undefined : before.conversation.status);
  const changed = await changeStatus(app, staff, conversationId, { ...change, from });
  const after = await accessTo(app, staff, conversationId);
  // Somebody else's decision may have been the same.
  if (changed || after.conversation.status === status) return after;
  throw new Refusal('conversation_closed', consoleTexts.statusMoved);
}
