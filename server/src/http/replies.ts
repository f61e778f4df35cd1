import { deleteReply, noSuchReply, savedReplyView, saveReply } from '../actions/replies/savedReplies.ts';
import type { App } from '../app.ts';
import { readReplies } from '../db/replies/savedReplies.ts';
import { idParam, type Routes } from './route.ts';

export function replyRoutes(app: App) {
  return {
    async readReplies({ caller }) {
      const rows = await readReplies(app.db, caller.staffId);
      return { replies: rows.map((row) => savedReplyView(caller, row)) };
    },
    saveReply: async ({ caller, params, body }) => ({
      reply: await saveReply(app, caller, { id: idParam(params.id, noSuchReply), ...body }),
    }),
    deleteReply: ({ caller, params }) => deleteReply(app, caller, idParam(params.id, noSuchReply)),
  } satisfies Partial<Routes>;
}
