import type { Access } from '../access.ts';
import type { App } from '../app.ts';
import * as conversations from '../db/conversations.ts';

/** The caller's side has seen everything up to `seq`. */
export async function markSeen(
  app: App,
  access: Pick<Access, 'side'>,
  conversationId: string,
  seq: number,
): Promise<void> {
  const changed = await conversations.markSeen(app.db, conversationId, access.side, seq);
  if (changed === undefined) return;
  const { moved, handlerAlias } = changed;
  if (moved) app.announce.conversationChanged({ id: conversationId, handlerAlias });
  else app.announce.queueRowChanged({ id: conversationId, handlerAlias });
}
