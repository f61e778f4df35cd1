import type * as real from '../../../../server/src/db/media/mediaWork.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/media/mediaWork.ts';

export const findWork: typeof real.findWork = modelled('findWork', ({ media }, mediaId) => {
  const found = media.get(mediaId);
  if (found === undefined) return undefined;
  const { id, conversationId, state, stagedPath, stagedType, path, fileName } = found;
  return { id, conversationId, state, stagedPath, stagedType, path, fileName };
});

export const countFailedAttempt: typeof real.countFailedAttempt = modelled(
  'countFailedAttempt',
  ({ media }, mediaId) => {
    const found = media.get(mediaId);
    if (found === undefined) throw new Error('no row');
    media.update(mediaId, { mishaps: found.mishaps + 1 });
    return found.mishaps + 1;
  },
);

export const takePath: typeof real.takePath = modelled('takePath', ({ media }, mediaId, path) => {
  const found = media.get(mediaId);
  if (found?.state !== 'working') return undefined;
  media.update(mediaId, { path });
  return found.path;
});

export const markReady: typeof real.markReady = modelled('markReady', ({ media }, mediaId, picture) => {
  const found = media.get(mediaId);
  if (found?.state !== 'working' || found.path !== picture.path) return false;
  const { type, bytes, width, height, thumbhash, fileName } = picture;
  media.update(mediaId, { state: 'ready', fileName, made: [type, bytes, width, height, thumbhash] });
  return true;
});

export const markRefused: typeof real.markRefused = modelled('markRefused', ({ media }, mediaId) => {
  if (media.get(mediaId)?.state === 'working') media.update(mediaId, { state: 'refused' });
});
