import { AUDIT_PAGE } from '@settee/protocol/calls/auditCalls';
import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { eraseConversation } from '../actions/conversation/eraseConversation.ts';
import { exportConversation } from '../actions/conversation/exportConversation.ts';
import { reassignMany } from '../actions/conversation/handOver.ts';
import { closeMany } from '../actions/conversation/status.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readAuditChoices, readAuditHead, readAuditLog } from '../db/audit/auditLog.ts';
import { readDeleted } from '../db/conversation/closed.ts';
import { countConversations, listConversations } from '../db/conversation/conversationAdmin.ts';
import { countExpiredWithInviteTerm, countExpiredWithTerm } from '../db/conversation/retention.ts';
import { readDashboard } from '../db/dashboard/dashboard.ts';
import { pageEnds, parseCursor } from './cursor.ts';
import { idParam, type Routes } from './route.ts';

/** For an API key: neither the text of a message nor the name of who wrote it. */
function withoutMessages(row: AdminRow): AdminRow {
  return { ...row, lastMessage: '', lastAuthor: null };
}

/** The admin area: all conversations, the dashboard and the audit log. */
export function adminRoutes(app: App) {
  return {
    async listConversations({ caller, query: { before, ...wanted } }) {
      const after = parseCursor(before);
      const { alias, show, q } = wanted;
      const [page, counts] = await Promise.all([
        listConversations(app.db, { ...wanted, after }),
        before === undefined && q === undefined ? countConversations(app.db, alias) : undefined,
      ]);
      if (page === undefined) throw new Refusal('unavailable');
      // Deleted conversations have neither a status nor a name to filter by.
      const all = show === undefined && q === undefined;
      const deleted = all
        ? await readDeleted(app.db, { alias: alias ?? null, ...pageEnds(after, page.next) })
        : [];
      const rows = caller.kind === 'key' ? page.rows.map(withoutMessages) : page.rows;
      return { ...page, rows, deleted, ...(counts && { counts }) };
    },
    reassignMany: ({ caller, body }) => reassignMany(app, caller, body),
    closeMany: ({ caller, body }) => closeMany(app, caller, body.ids),
    exportConversation: ({ caller, params, query }) =>
      exportConversation(app, caller, idParam(params.id), query.after),
    eraseConversation: ({ caller, params, query }) =>
      eraseConversation(app, caller, idParam(params.id), query.reason),
    async countExpired({ query: { days = null, inviteId } }) {
      const conversations = await (inviteId === undefined
        ? countExpiredWithTerm(app.db, days)
        : countExpiredWithInviteTerm(app.db, inviteId, days));
      return { conversations };
    },
    readDashboard: async ({ query }) => ({
      dashboard: await readDashboard(app.db, { ...query, now: app.clock.now() }),
    }),
    async readAudit({ query }) {
      const { limit = AUDIT_PAGE, ...filter } = query;
      const [head, page] = await Promise.all([
        readAuditHead(app.db),
        readAuditLog(app.db, filter, { limit }),
      ]);
      if (page === undefined) throw new Refusal('unavailable');
      return { ...page, head };
    },
    readAuditChoices: () => readAuditChoices(app.db),
  } satisfies Partial<Routes>;
}
