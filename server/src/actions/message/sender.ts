import type { Access } from '../../access.ts';
import { authorIdOf } from '../../caller.ts';
import type { Sender } from '../../db/media/uploads.ts';

/** Whose an image is that comes by this access. */
export function senderOf({ caller, side, conversation }: Access): Sender {
  return {
    conversationId: conversation.id,
    fromOwner: side === 'owner',
    authorId: authorIdOf(caller),
  };
}
