import { SNOOZE_MAX_MS } from '@settee/protocol/model/conversation';
import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { deskOf, type Staff } from '../../caller.ts';
import * as queue from '../../db/conversation/queue.ts';

/** Hides a conversation from the desk's queue for a while, or shows it again. The visitor learns nothing of it. */
export async function snooze(
  app: App,
  staff: Staff,
  conversationId: string,
  until: number | null,
): Promise<void> {
  if (until !== null && until > app.clock.now() + SNOOZE_MAX_MS) throw new Refusal('bad_request');
  await accessTo(app, staff, conversationId);
  const changed = await queue.snooze(app.db, { conversationId, alias: deskOf(staff), until });
  if (changed !== undefined) app.announce.queueRowChanged({ id: conversationId, ...changed });
  else if (until !== null) throw new Refusal('conversation_closed');
}
