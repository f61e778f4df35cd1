import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import { type MediaColumns, messageMedia } from '../../../../server/src/db/media/media.ts';
import type { State } from '../state.ts';

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
