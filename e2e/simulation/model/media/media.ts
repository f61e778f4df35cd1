import type * as real from '../../../../server/src/db/media/media.ts';
import { modelled } from '../modelDatabase.ts';
import { mediaOf } from './mediaOf.ts';

export { MEDIA_COLUMNS, messageMedia } from '../../../../server/src/db/media/media.ts';

export const findMessageMedia: typeof real.findMessageMedia = modelled(
  'findMessageMedia',
  (state, conversationId, mediaId) => {
    const found = state.media.get(mediaId);
    return found?.state === 'ready' && found.conversationId === conversationId
      ? mediaOf(state, mediaId)
      : undefined;
  },
);

export const findPicturePath: typeof real.findPicturePath = modelled(
  'findPicturePath',
  ({ media }, mediaId, { conversationId, fromOwner, authorId }) => {
    const found = media.get(mediaId);
    if (found?.state !== 'ready' || found.conversationId !== conversationId) return undefined;
    const isOwn = found.fromOwner === fromOwner && found.authorId === authorId;
    return found.messageId !== null || isOwn ? found.path : undefined;
  },
);
