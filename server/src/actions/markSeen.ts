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
  const moved = await conversations.markSeen(app.db, conversationId, access.side, seq);
  if (moved !== undefined) app.announce.conversationChanged({ id: conversationId, ...moved });
}
