import type { Answer } from '@settee/protocol/calls/http';
import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { noteExported } from '../../db/conversation/conversationViews.ts';
import { readInviteLabel } from '../../db/conversation/details.ts';
import { readExportPage } from '../../db/conversation/exported.ts';
import { readBrand } from '../../db/profile/brand.ts';
import { recordExport } from './recordView.ts';

type Exported = Omit<Answer<'exportConversation'>, 'success'>;

/**
 * One page of a conversation as it is kept. Every export is in the audit log, wherever it begins; only the pages that
 * follow one another are told once.
 */
export async function exportConversation(
  app: App,
  staff: Staff,
  conversationId: string,
  after: number,
): Promise<Exported> {
  const { conversation: row } = await accessTo(app, staff, conversationId);
  await recordExport(app, staff, conversationId, after);
  const { messages, next } = await readExportPage(app.db, conversationId, after);
  await noteExported(app.db.sql, { conversationId, staffId: staff.staffId, next });
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
