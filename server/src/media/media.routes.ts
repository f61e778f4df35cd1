import { READ_SECONDS } from '@settee/protocol/model/media';
import { accessTo } from '../access/access.ts';
import { accessToRead } from '../conversations/recordView.ts';
import { sendOverHttp } from '../messages/sendOverHttp.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { findPicturePath } from './uploads.store.ts';
import { beginUpload, cancelUpload, finishUpload, senderOf } from './uploads.ts';

export function mediaRoutes(app: App) {
  return {
    async beginUpload({ caller, params, body }) {
      const access = await accessTo(app, caller, idParam(params.id));
      return beginUpload(app, access, body);
    },
    async finishUpload({ caller, params, reply }) {
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const access = await accessTo(app, caller, idParam(params.id));
      return finishUpload(app, access, idParam(params.mediaId), closed.signal);
    },
    async cancelUpload({ caller, params }) {
      const access = await accessTo(app, caller, idParam(params.id));
      await cancelUpload(app, access, idParam(params.mediaId));
    },
    async readMedia({ caller, params }) {
      const access = await accessToRead(app, caller, idParam(params.id));
      const path = await findPicturePath(app.db, idParam(params.mediaId), senderOf(access));
      if (path === undefined) throw new Refusal('not_found');
      const expiresAt = app.clock.now() + READ_SECONDS * 1_000;
      return { url: await app.media.signDownload(path, READ_SECONDS), expiresAt };
    },
    async sendMedia({ caller, params, body }) {
      const access = await accessTo(app, caller, idParam(params.id));
      const draft = { conversationId: access.conversation.id, mediaId: idParam(params.mediaId), ...body };
      return sendOverHttp(app, access, draft);
    },
  } satisfies Partial<Routes>;
}
