import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import type { Api } from '../../net/api.ts';
import { isFinalError } from '../../net/isFinalError.ts';
import { refused } from '../model/unsent.ts';
import type { Outbox } from './outbox.ts';

type Parts = {
  outbox: Pick<Outbox, 'listAll' | 'remove' | 'mark'>;
  api: Api<'sendMessage' | 'sendMedia'>;
  onRefused?: (id: string, code: ErrorCode) => void;
};

/**
 * Sends the outbox in order, one message at a time. Rejects if the rest must wait. A page may send the same messages
 * over its socket at the same time. This is safe: (1) The server stores an id once, and answers a repeat with the first
 * number. (2) The outbox holds a message from before the first attempt until it is stored, and later messages are added
 * later. Both senders send a message only after the one before it was stored or permanently refused. So when any copy
 * is stored, all earlier messages are settled, and a delayed copy can only be a repeat. (3) A permanently refused
 * message is marked and not sent again automatically. If its writer retries it, it moves to the end, here and on the
 * page.
 */
export async function flushOutbox({ outbox, api, onRefused }: Parts): Promise<void> {
  /** Numbers stored in this run, because a guarded message may follow one of them. */
  const numbers = new Map<string | undefined, number>();
  for (const record of await outbox.listAll()) {
    const { id, conversationId, text, picture, after, behind, state } = record;
    if (state !== 'queued') continue;
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
      // It stays, so that the page shows it as not sent.
      await outbox.mark(refused(record, sent.code));
      onRefused?.(id, sent.code);
    }
  }
}
