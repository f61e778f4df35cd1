import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { Alias } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { readDesksShown } from '../platform/db/profileOf.ts';
import { pageEnds, parseCursor } from '../platform/http/cursor.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { readLeftDesks } from '../staff/deskLoad.store.ts';
import { readDeleted } from './closed.store.ts';
import { countConversations, listConversations } from './conversationAdmin.store.ts';
import { exportConversation } from './exportConversation.ts';
import { reassignMany } from './handOver.ts';
import { moveDesk } from './reassignDesk.ts';
import { closeMany } from './status.ts';

/** For an API key: neither the text of a message nor the name of who wrote it. */
function withoutMessages(row: AdminRow): AdminRow {
  return { ...row, lastMessage: '', lastAuthor: null };
}

/** The list of all conversations, and what is done with many. */
export function conversationAdminRoutes(app: App) {
  return {
    async listConversations({ caller, query: { before, ...wanted } }) {
      const after = parseCursor(before);
      const { show, q } = wanted;
      const desks = await readDesksShown(app.db, wanted);
      const [page, counts] = await Promise.all([
        listConversations(app.db, { show, q, desks, after }),
        before === undefined && q === undefined ? countConversations(app.db, desks) : undefined,
      ]);
      if (page === undefined) throw new Refusal('unavailable');
      // Deleted conversations have neither a status nor a name to filter by.
      const all = show === undefined && q === undefined;
      const deleted = all ? await readDeleted(app.db, { reach: desks, ...pageEnds(after, page.next) }) : [];
      const rows = caller.kind === 'key' ? page.rows.map(withoutMessages) : page.rows;
      return { ...page, rows, deleted, ...(counts && { counts }) };
    },
    reassignMany: ({ caller, body }) => reassignMany(app, caller, body),
    closeMany: ({ caller, body }) => closeMany(app, caller, body.ids),
    exportConversation: ({ caller, params, query }) =>
      exportConversation(app, caller, idParam(params.id), query.after),
    readLeftDesks: async () => ({ desks: await readLeftDesks(app.db) }),
    async moveDesk({ caller, params, body }) {
      if (!v.is(Alias, params.alias)) throw new Refusal('bad_request', peopleTexts.aliasRefused);
      return moveDesk(app, caller, { from: params.alias, to: body.to });
    },
  } satisfies Partial<Routes>;
}
