import { mediaUrl } from '@settee/protocol/model/media';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { Database } from '../platform/db/database.ts';

/** Image columns of a message, from `media f`; all null for a text. */
export const MEDIA_COLUMNS = 'f.id, f.media_type, f.file_name, f.bytes, f.width, f.height, f.thumbhash';
export type MediaColumns =
  | [null, null, null, null, null, null, null]
  | [
      id: string,
      type: string,
      fileName: string,
      bytes: number,
      width: number,
      height: number,
      thumbhash: string,
    ];

export function messageMedia(conversationId: string, columns: MediaColumns): MessageMedia | undefined {
  const [id, mediaType, fileName, size, width, height, thumbhash] = columns;
  if (id === null) return undefined;
  return { mediaUrl: mediaUrl(conversationId, id), mediaType, fileName, size, width, height, thumbhash };
}

/** An image that a message of this conversation may carry. */
export async function findMessageMedia(
  db: Database,
  conversationId: string,
  mediaId: string,
): Promise<MessageMedia | undefined> {
  const { rows } = await db.pool.query({
    name: 'message-media',
    text: `select ${MEDIA_COLUMNS} from media f where f.id = $1 and f.conversation_id = $2 and f.state = 'ready'`,
    values: [mediaId, conversationId],
    rowMode: 'array',
  });
  return rows[0] === undefined ? undefined : messageMedia(conversationId, rows[0] as MediaColumns);
}
