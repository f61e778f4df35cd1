import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import type { Api } from '../../net/api.ts';
import { isFinalError } from '../../net/isFinalError.ts';
import type { Outbox } from './outbox.ts';

type Parts = {
  outbox: Pick<Outbox, 'listAll' | 'remove' | 'refuse'>;
  api: Api<'sendMessage' | 'sendMedia'>;
  onRefused?: (id: string, code: ErrorCode) => void;
};

/**
 * Sends all that waits in the outbox, one message after another in the order in which they were written, and fails
 * when the rest must wait for a better moment.
 *
 * A page may send the same messages over its socket at the same time. Why nothing is doubled or overtaken:
 * - No doubles: a message has one id wherever it is sent from, and the server stores an id once. The second copy is
 *   answered like the first, with the number of the first.
 * - Order: the outbox holds a message from before its first sending until it is stored, and what is written later is
 *   put in later. So whoever reads the outbox sees, before any message, all earlier ones that are not yet stored.
 *   Here the next goes only after the one before it was stored or refused for good; the page's socket gives the same
 *   promise. Hence whichever copy of a message is stored first, all before it are stored already or refused, and a
 *   copy that was delayed on the way can only be a repeat.
 * - Refused for good, a message is marked and goes no more by itself: later words may be stored, or the conversation
 *   may be about something else, when it could be taken again. Its writer may ask for it; then it is written anew,
 *   here and on the page: behind all others.
 */
export async function flushOutbox({ outbox, api, onRefused }: Parts): Promise<void> {
  /** Numbers of those stored in this run: a guarded one may have been written behind one of them. */
  const numbers = new Map<string | undefined, number>();
  for (const { id, conversationId, text, picture, after, behind, refused } of await outbox.listAll()) {
    if (refused) continue;
    const seen = after === undefined ? {} : { after: Math.max(after, numbers.get(behind) ?? 0) };
    const sent = picture
      ? await api('sendMedia', {
          params: { id: conversationId, mediaId: picture.mediaId },
          body: { id, ...seen },
        })
      : await api('sendMessage', { params: { id: conversationId }, body: { id, text, ...seen } });
    if (sent.ok) {
      numbers.set(id, sent.answer.seq);
      await outbox.remove(id);
    } else if (!isFinalError(sent.code)) throw new Error(`the outbox waits: ${sent.text}`);
    else if (sent.code !== undefined) {
      // It stays, for the page to show as failed, and holds up nobody. What was answered meanwhile the console gives back.
      if (sent.code !== 'reply_outdated') await outbox.refuse(id);
      onRefused?.(id, sent.code);
    }
  }
}
