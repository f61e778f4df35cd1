import type * as real from '../../../../server/src/db/media/uploads.ts';
import { modelled } from '../modelDatabase.ts';

export { removeStagedLater } from '../../../../server/src/db/media/uploads.ts';

const DAY_MS = 86_400_000;

export const lockConversation: typeof real.lockConversation = modelled(
  'lockConversation',
  ({ conversations }, conversationId) => conversations.get(conversationId) !== undefined,
);

export const findUpload: typeof real.findUpload = modelled(
  'findUpload',
  ({ media }, mediaId, { conversationId, fromOwner, authorId }) => {
    const found = media.get(mediaId);
    if (found?.conversationId !== conversationId) return undefined;
    if (found.fromOwner !== fromOwner || found.authorId !== authorId) return undefined;
    const { state, stagedPath, stagedType, stagedBytes } = found;
    return { state, staged_path: stagedPath, staged_type: stagedType, staged_bytes: stagedBytes };
  },
);

export const countUploads: typeof real.countUploads = modelled(
  'countUploads',
  (state, { conversationId, fromOwner }) => {
    const today = state.media.where(
      (each) =>
        each.conversationId === conversationId &&
        each.fromOwner === fromOwner &&
        each.createdAt > state.now() - DAY_MS,
    );
    return { images: today.length, bytes: today.reduce((sum, { stagedBytes }) => sum + stagedBytes, 0) };
  },
);

export const insertUpload: typeof real.insertUpload = modelled(
  'insertUpload',
  (state, { type: stagedType, bytes: stagedBytes, ...upload }) => {
    if (state.media.get(upload.id) !== undefined) return false;
    const blank = { state: 'uploading', made: undefined, messageId: null, mishaps: 0 } as const;
    const createdAt = state.now();
    state.media.set(upload.id, { ...upload, stagedType, stagedBytes, ...blank, createdAt });
    return true;
  },
);

export const startProcessing: typeof real.startProcessing = modelled(
  'startProcessing',
  ({ media, addWork }, mediaId) => {
    if (media.get(mediaId)?.state !== 'uploading') return;
    media.update(mediaId, { state: 'working' });
    addWork(mediaId);
  },
);

export const restartLostProcessing: typeof real.restartLostProcessing = modelled(
  'restartLostProcessing',
  ({ media, addWork }, mediaId) => {
    if (media.get(mediaId)?.state === 'working') addWork(mediaId);
  },
);

export const dropUpload: typeof real.dropUpload = modelled('dropUpload', ({ media }, mediaId) => {
  if (media.get(mediaId)?.messageId !== null) return false;
  media.update(mediaId, { state: 'refused' });
  return true;
});
