import { OWN_EXPORT_PAGE } from '@settee/protocol/calls/rightsCalls';
import { accessTo, conversationView } from '../../access.ts';
import type { App } from '../../app.ts';
import { allowExport } from '../../auth/rateLimits.ts';
import type { Visitor } from '../../caller.ts';
import { readMessages } from '../../db/message/messages.ts';

/** One page of what a visitor may take home: the same views that its screen is given, and nothing besides. */
export async function exportOwn(app: App, visitor: Visitor, conversationId: string, after = 0) {
  await allowExport(app, visitor.visitorId);
  const access = await accessTo(app, visitor, conversationId);
  const messages = await readMessages(app.db, conversationId, { after, limit: OWN_EXPORT_PAGE });
  const last = messages.at(-1)?.seq;
  const next = messages.length === OWN_EXPORT_PAGE && last !== undefined ? last : null;
  return { conversation: conversationView(access), messages, next };
}
