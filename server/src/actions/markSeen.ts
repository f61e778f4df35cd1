import type { Access } from '../access.ts';
import type { App } from '../app.ts';
import { deskOf } from '../caller.ts';
import * as conversations from '../db/conversations.ts';

/** The caller's side has seen everything up to `seq`. */
export async function markSeen(
  app: App,
  access: Pick<Access, 'caller' | 'side'>,
  conversationId: string,
  seq: number,
): Promise<void> {
  const { caller, side } = access;
  // Asked once more of the row itself: the conversation may have just left this desk.
  const alias = caller.kind === 'staff' ? deskOf(caller) : null;
  const moved = await conversations.markSeen(app.db, { conversationId, side, alias }, seq);
  if (moved !== undefined) app.announce.conversationChanged({ id: conversationId, ...moved });
}
