import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import { type MediaColumns, messageMedia } from '../../../server/src/messages/messageMedia.store.ts';
import type { Effects } from './functions.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;

export type Columns = Exclude<MediaColumns, [null, ...null[]]>;

/** What a message says about its image; undefined if there is none or if it is not ready. */
export function columnsOf({ media }: State, mediaId: string | null): Columns | undefined {
  const picture = mediaId === null ? undefined : media.get(mediaId);
  if (picture?.made === undefined) return undefined;
  const [type, ...size] = picture.made;
  return [picture.id, type, picture.fileName, ...size];
}

export function mediaOf(state: State, mediaId: string | null): MessageMedia | undefined {
  const columns = columnsOf(state, mediaId);
  const picture = mediaId === null ? undefined : state.media.get(mediaId);
  return columns && picture && messageMedia(picture.conversationId, columns);
}

export const media = {
  findMessageMedia: (state, conversationId, mediaId) => {
    const found = state.media.get(mediaId);
    return found?.state === 'ready' && found.conversationId === conversationId
      ? mediaOf(state, mediaId)
      : undefined;
  },

  lockConversation: ({ conversations }, conversationId) => conversations.get(conversationId) !== undefined,

  findUpload: ({ media }, mediaId, { conversationId, fromOwner, authorId }) => {
    const found = media.get(mediaId);
    if (found?.conversationId !== conversationId) return undefined;
    if (found.fromOwner !== fromOwner || found.authorId !== authorId) return undefined;
    const { state, stagedPath, stagedType, stagedBytes } = found;
    return { state, staged_path: stagedPath, staged_type: stagedType, staged_bytes: stagedBytes };
  },

  countUploads: (state, { conversationId, fromOwner }) => {
    const today = state.media.where(
      (each) =>
        each.conversationId === conversationId &&
        each.fromOwner === fromOwner &&
        each.createdAt > state.now() - DAY_MS,
    );
    return { images: today.length, bytes: today.reduce((sum, { stagedBytes }) => sum + stagedBytes, 0) };
  },

  insertUpload: (state, { type: stagedType, bytes: stagedBytes, ...upload }) => {
    if (state.media.get(upload.id) !== undefined) return false;
    const blank = { state: 'uploading', made: undefined, messageId: null, mishaps: 0 } as const;
    const createdAt = state.now();
    state.media.set(upload.id, { ...upload, stagedType, stagedBytes, ...blank, createdAt });
    return true;
  },

  startProcessing: ({ media, addWork }, mediaId) => {
    if (media.get(mediaId)?.state !== 'uploading') return;
    media.update(mediaId, { state: 'working' });
    addWork(mediaId);
  },

  dropUpload: ({ media }, mediaId) => {
    if (media.get(mediaId)?.messageId !== null) return false;
    media.update(mediaId, { state: 'refused' });
    return true;
  },

  findWork: ({ media }, mediaId) => {
    const found = media.get(mediaId);
    if (found === undefined) return undefined;
    const { id, conversationId, state, stagedPath, stagedType, path, fileName } = found;
    return { id, conversationId, state, stagedPath, stagedType, path, fileName };
  },

  countFailedAttempt: ({ media }, mediaId) => {
    const found = media.get(mediaId);
    if (found === undefined) throw new Error('no row');
    media.update(mediaId, { mishaps: found.mishaps + 1 });
    return found.mishaps + 1;
  },

  takePath: ({ media }, mediaId, path) => {
    const found = media.get(mediaId);
    if (found?.state !== 'working') return undefined;
    media.update(mediaId, { path });
    return found.path;
  },

  markReady: ({ media }, mediaId, picture) => {
    const found = media.get(mediaId);
    if (found?.state !== 'working' || found.path !== picture.path) return false;
    const { type, bytes, width, height, thumbhash, fileName } = picture;
    media.update(mediaId, { state: 'ready', fileName, made: [type, bytes, width, height, thumbhash] });
    return true;
  },

  markRefused: ({ media }, mediaId) => {
    if (media.get(mediaId)?.state === 'working') media.update(mediaId, { state: 'refused' });
  },
} satisfies Effects;
