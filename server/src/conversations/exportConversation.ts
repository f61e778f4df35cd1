import type { Answer } from '@settee/protocol/calls/http';
import { OWN_EXPORT_PAGE } from '@settee/protocol/calls/rightsCalls';
import { accessTo, conversationForKey, conversationView } from '../access/access.ts';
import { readMessages } from '../messages/messages.store.ts';
import type { App } from '../platform/app.ts';
import type { Manager, Visitor } from '../platform/ports/caller.ts';
import { readProfileOfDesk } from '../profile/brand.store.ts';
import { recordExportEnd } from './conversationViews.store.ts';
import { readInviteLabel } from './details.store.ts';
import { readExportPage } from './exported.store.ts';
import { recordExport, recordRead } from './recordView.ts';

type Exported = Omit<Answer<'exportConversation'>, 'success'>;

/**
 * Reads one page of the export. Each export is audited once, not once per page; for a key, once an hour. A key does not
 * learn who wrote a message.
 */
export async function exportConversation(
  app: App,
  manager: Manager,
  conversationId: string,
  after: number,
): Promise<Exported> {
  const row =
    manager.kind === 'key'
      ? await conversationForKey(app, conversationId)
      : (await accessTo(app, manager, conversationId)).conversation;
  if (manager.kind === 'key') await recordRead(app, manager, conversationId);
  else await recordExport(app, manager, conversationId, after);
  const { messages, next } = await readExportPage(app.db, conversationId, after);
  if (manager.kind === 'staff') {
    await recordExportEnd(app.db, { conversationId, staffId: manager.staffId, next });
  }
  return {
    conversation: {
      id: row.id,
      visitorId: row.visitorId,
      visitorName: row.visitorName,
      profileName: (await readProfileOfDesk(app.db, row.handlerAlias)).brand.displayName,
      handlerAlias: row.handlerAlias,
      inviteLabel: await readInviteLabel(app.db, row.inviteId),
      status: row.status,
      startedAt: row.createdAt,
      messages: row.head,
      exportedAt: app.clock.now(),
    },
    messages: manager.kind === 'key' ? messages.map(({ writtenBy: _, ...message }) => message) : messages,
    next,
  };
}

/** Reads one page of the visitor's own export. It contains only what the visitor's screen shows. */
export async function exportOwn(app: App, visitor: Visitor, conversationId: string, after = 0) {
  const access = await accessTo(app, visitor, conversationId);
  const messages = await readMessages(app.db, conversationId, { after, limit: OWN_EXPORT_PAGE });
  const last = messages.at(-1)?.seq;
  const next = messages.length === OWN_EXPORT_PAGE && last !== undefined ? last : null;
  return { conversation: conversationView(access), messages, next };
}
