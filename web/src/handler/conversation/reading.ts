import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { lastSeq } from '../../chat/model/log.ts';
import type { Clock } from '../../net/clock.ts';

/** Nobody notices and reads a colleague's reply in less time. */
const READING_MS = 3_000;

/**
 * A conversation whose view has what the writer can have read, not what is on the screen. So the server holds a reply if
 * a colleague answered just before it was sent. It holds it once: who was told about a colleague's reply has read it.
 */
export function withReading(
  conversation: LiveConversation,
  clock: Clock,
  /** Whether this person wrote the message, perhaps in another window. */
  wrote: (seq: number) => boolean,
): LiveConversation {
  /** What the reader looked at, and since when. */
  const sights: { seq: number; at: number }[] = [];
  /** Counts as read without a look: what was there at first, and what came after a reply was held. */
  let read = 0;
  let catchingUp = true;
  let returned = 0;

  conversation.subscribe(() => {
    const { watch, pending, log, head } = conversation.state();
    const before = returned;
    returned = pending.filter(({ state, names }) => state === 'returned' && names === undefined).length;
    if (returned > before) catchingUp = true;
    if (!catchingUp || watch !== 'done' || lastSeq(log) < head) return;
    catchingUp = false;
    read = lastSeq(log);
  });

  return {
    ...conversation,
    looked(seq) {
      conversation.looked(seq);
      if (seq > (sights.at(-1)?.seq ?? 0)) sights.push({ seq, at: clock.now() });
    },
    view(begunAt = clock.now()) {
      const shown = conversation.view();
      if (shown?.after === undefined || catchingUp) return shown;
      const until = Math.max(begunAt, clock.now() - READING_MS);
      const seen = Math.max(read, sights.findLast(({ at }) => at <= until)?.seq ?? 0);
      const { log, own } = conversation.state();
      const unread = log.messages.find(
        ({ seq, id, sender }) => seq > seen && sender === 'owner' && !own.includes(id) && !wrote(seq),
      );
      return unread ? { ...shown, after: unread.seq - 1 } : shown;
    },
  };
}
