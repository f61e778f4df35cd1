import type { Answer } from '@settee/protocol/calls/http';
import { OWN_EXPORT_PAGE } from '@settee/protocol/calls/rightsCalls';
import { accessTo, conversationView } from '../../access.ts';
import type { App } from '../../app.ts';
import type { Staff, Visitor } from '../../caller.ts';
import { recordExportEnd } from '../../db/conversation/conversationViews.ts';
import { readInviteLabel } from '../../db/conversation/details.ts';
import { readExportPage } from '../../db/conversation/exported.ts';
import { readMessages } from '../../db/message/messages.ts';
import { readBrand } from '../../db/profile/brand.ts';
import { recordExport } from './recordView.ts';

type Exported = Omit<Answer<'exportConversation'>, 'success'>;

/** Reads one page of the export. Each export is audited once, not once per page. */
export async function exportConversation(
  app: App,
  staff: Staff,
  conversationId: string,
  after: number,
): Promise<Exported> {
  const { conversation: row } = await accessTo(app, staff, conversationId);
  await recordExport(app, staff, conversationId, after);
  const { messages, next } = await readExportPage(app.db, conversationId, after);
  await recordExportEnd(app.db, { conversationId, staffId: staff.staffId, next });
  return {
    conversation: {
      id: row.id,
      visitorId: row.visitorId,
      visitorName: row.visitorName,
      profileName: (await readBrand(app.db)).displayName,
      handlerAlias: row.handlerAlias,
      inviteLabel: await readInviteLabel(app.db, row.inviteId),
      status: row.status,
      startedAt: row.createdAt,
      messages: row.head,
      exportedAt: app.clock.now(),
    },
    messages,
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
