import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { deskOf, type Staff } from '../../caller.ts';
import * as conversations from '../../db/conversation/conversations.ts';

/** A member of staff wants to see it again later, or no longer. The visitor's side hears nothing of it. */
export async function markUnread(
  app: App,
  staff: Staff,
  conversationId: string,
  unread: boolean,
): Promise<void> {
  await accessTo(app, staff, conversationId);
  const changed = await conversations.markUnread(app.db, { conversationId, alias: deskOf(staff), unread });
  if (changed !== undefined) app.announce.queueRowChanged({ id: conversationId, ...changed });
  else if (unread) throw new Refusal('conversation_closed');
}
