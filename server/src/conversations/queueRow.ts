import { SNOOZE_MAX_MS } from '@settee/protocol/model/conversation';
import { accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import * as conversations from './conversations.store.ts';
import * as queue from './queue.store.ts';

/** Marks a conversation as unread for staff, or removes the mark. The visitor does not see this. */
export async function markUnread(
  app: App,
  staff: Staff,
  conversationId: string,
  unread: boolean,
): Promise<void> {
  await accessTo(app, staff, conversationId);
  const changed = await conversations.markUnread(app.db, {
    conversationId,
    reach: reachOf(staff),
    unread,
  });
  if (changed !== undefined) app.announce.queueRowChanged({ id: conversationId, ...changed });
  else if (unread) throw new Refusal('conversation_closed');
}

/** Hides a conversation from the desk's queue until a time, or shows it again. The visitor does not see this. */
export async function snooze(
  app: App,
  staff: Staff,
  conversationId: string,
  until: number | null,
): Promise<void> {
  if (until !== null && until > app.clock.now() + SNOOZE_MAX_MS) throw new Refusal('bad_request');
  await accessTo(app, staff, conversationId);
  const changed = await queue.snooze(app.db, { conversationId, reach: reachOf(staff), until });
  if (changed !== undefined) app.announce.queueRowChanged({ id: conversationId, ...changed });
  else if (until !== null) throw new Refusal('conversation_closed');
}
