import { Uuid } from '@settee/protocol/model/ids';
import { READ_SECONDS } from '@settee/protocol/model/media';
import * as v from 'valibot';
import { accessTo } from '../access.ts';
import { accessToRead } from '../actions/conversation/recordView.ts';
import { beginUpload, cancelUpload, finishUpload, senderOf } from '../actions/media/uploads.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { findPicturePath } from '../db/media/media.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';
import { sendByCall } from './sendByCall.ts';

type MediaRoutes = Pick<Routes, 'beginUpload' | 'finishUpload' | 'cancelUpload' | 'readMedia' | 'sendMedia'>;

function mediaIdIn(params: Record<string, string>): string {
  const id = v.safeParse(Uuid, params.mediaId);
  if (!id.success) throw new Refusal('not_found');
  return id.output;
}

export function mediaRoutes(app: App): MediaRoutes {
  return {
    async beginUpload({ caller, params, body }) {
      const access = await accessTo(app, caller, conversationIdOf(params));
      return { success: true, ...(await beginUpload(app, access, body)) };
    },
    async finishUpload({ caller, params, reply }) {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const access = await accessTo(app, caller, conversationIdOf(params));
      return { success: true, ...(await finishUpload(app, access, mediaIdIn(params), gone.signal)) };
    },
    async cancelUpload({ caller, params }) {
      const access = await accessTo(app, caller, conversationIdOf(params));
      await cancelUpload(app, access, mediaIdIn(params));
      return { success: true };
    },
    async readMedia({ caller, params }) {
      const access = await accessToRead(app, caller, conversationIdOf(params));
      const path = await findPicturePath(app.db, mediaIdIn(params), senderOf(access));
      if (path === undefined) throw new Refusal('not_found');
      const expiresAt = app.clock.now() + READ_SECONDS * 1_000;
      return { success: true, url: await app.media.signDownload(path, READ_SECONDS), expiresAt };
    },
    async sendMedia({ caller, params, body }) {
      const access = await accessTo(app, caller, conversationIdOf(params));
      const draft = { conversationId: access.conversation.id, mediaId: mediaIdIn(params), ...body };
      return { success: true, ...(await sendByCall(app, access, draft)) };
    },
  };
}
