import type { Conversation } from '@settee/protocol/model/conversation';
import { accessTo, conversationView } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Visitor } from '../../caller.ts';
import { setVisitorName } from '../../db/profile/profiles.ts';

/** What the visitor wants to be called in this conversation. */
export async function nameVisitor(
  app: App,
  visitor: Visitor,
  conversationId: string,
  visitorName: string,
): Promise<Conversation> {
  if (!(await setVisitorName(app.db.sql, visitor, conversationId, visitorName)))
    throw new Refusal('not_found');
  const access = await accessTo(app, visitor, conversationId);
  app.announce.conversationChanged(access.conversation);
  // Their list says who it was that started.
  app.announce.managementChanged('invites');
  return conversationView(access);
}
