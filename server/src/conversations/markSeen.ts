import type { Access } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { reachOf } from '../platform/ports/caller.ts';
import * as conversations from './conversations.store.ts';

/** The caller's side has seen everything up to `seq`. */
export async function markSeen(
  app: App,
  access: Pick<Access, 'caller' | 'side'>,
  conversationId: string,
  seq: number,
): Promise<void> {
  const { caller, side } = access;
  // The query checks the desk again: the conversation may have just left it.
  const reach = reachOf(caller);
  const changed = await conversations.markSeen(app.db, { conversationId, side, reach }, seq);
  if (changed === undefined) return;
  const { moved, handlerAlias } = changed;
  if (moved) app.announce.conversationChanged({ id: conversationId, handlerAlias });
  else app.announce.queueRowChanged({ id: conversationId, handlerAlias });
}
