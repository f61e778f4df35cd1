import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { deleteReply, noSuchReply, savedReplyView, saveReply } from '../actions/replies/savedReplies.ts';
import type { App } from '../app.ts';
import { readReplies } from '../db/replies/savedReplies.ts';
import type { Routes } from './route.ts';

export function replyRoutes(app: App): Pick<Routes, 'readReplies' | 'saveReply' | 'deleteReply'> {
  return {
    async readReplies({ caller }) {
      const rows = await readReplies(app.db.sql, caller.staffId);
      return { success: true, replies: rows.map((row) => savedReplyView(caller, row)) };
    },
    async saveReply({ caller, params, body }) {
      return { success: true, reply: await saveReply(app, caller, { id: replyIdOf(params), ...body }) };
    },
    async deleteReply({ caller, params }) {
      await deleteReply(app, caller, replyIdOf(params));
      return { success: true };
    },
  };
}

function replyIdOf(params: Record<string, string>): string {
  const id = v.safeParse(Uuid, params.id);
  if (!id.success) throw noSuchReply();
  return id.output;
}
