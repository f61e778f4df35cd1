import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { reachOf } from '../platform/ports/caller.ts';
import { readReplies } from './savedReplies.store.ts';
import { deleteReply, noSuchReply, savedReplyView, saveReply } from './savedReplies.ts';

export function replyRoutes(app: App) {
  return {
    async readReplies({ caller }) {
      const rows = await readReplies(app.db, caller.staffId, reachOf(caller));
      return { replies: rows.map((row) => savedReplyView(caller, row)) };
    },
    saveReply: async ({ caller, params, body }) => ({
      reply: await saveReply(app, caller, { id: idParam(params.id, noSuchReply), ...body }),
    }),
    deleteReply: ({ caller, params }) => deleteReply(app, caller, idParam(params.id, noSuchReply)),
  } satisfies Partial<Routes>;
}
