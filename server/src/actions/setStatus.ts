import type { ConversationStatus } from '@settee/protocol/conversation';
import { type Access, accessTo } from '../access.ts';
import type { App } from '../app.ts';
import { deskOf, type Staff } from '../caller.ts';
import * as conversations from '../db/conversations.ts';
import { Refused } from '../refused.ts';

/** Close, block or reopen: a member of staff's decision about a conversation at their desk. */
export async function setStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  status: ConversationStatus,
): Promise<Access> {
  const before = await accessTo(app, staff, conversationId);
  if (before.conversation.status === status) return before;
  const changed = await conversations.setStatus(app.db, {
    conversationId,
    alias: deskOf(staff),
    status,
    actor: staff.staffId,
  });
  if (changed === undefined) throw new Refused('not_found');
  app.announce.conversationChanged({ id: conversationId, ...changed });
  return accessTo(app, staff, conversationId);
}
