import type { Database } from '../platform/db/database.ts';
import { value } from '../platform/db/query.ts';

/** The path of an image, for callers with access to the conversation: sent images, or one's own unsent ones. */
export function findPicturePath(
  db: Database,
  mediaId: string,
  { conversationId, fromOwner, authorId }: { conversationId: string; fromOwner: boolean; authorId: string },
): Promise<string | undefined> {
  return value<string>(db, 'picture-path')`
    select f.path from media f where f.id = ${mediaId} and f.conversation_id = ${conversationId} and f.state = 'ready'
      and (f.message_id is not null or (f.from_owner = ${fromOwner} and f.author_id = ${authorId}))`;
}
