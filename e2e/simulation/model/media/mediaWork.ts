import type * as real from '../../../../server/src/db/media/mediaWork.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/media/mediaWork.ts';

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
