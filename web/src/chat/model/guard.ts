import type { ConversationState, Guard, Pending, View } from './conversationState.ts';
import { type Log, lastSeq } from './log.ts';

/** For a side on which several people answer. A page with one writer does not carry it. */
export const guard: Guard = { viewOf, viewAt, seenOf, sendable };

/** How far the clocks of a browser and the server may differ. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Before the messages are there, nobody can say what the writer has seen: that is known once they are. */
function viewOf({ log, pending, loaded }: ConversationState): View {
  if (!loaded) return {};
  const behind = pending.at(-1)?.id;
  return { after: lastSeq(log), ...(behind !== undefined && { behind }) };
}

/** What the writer of an early reply has seen: the messages that were there at that time. */
function viewAt({ messages }: Log, at: number): View {
  const later = messages.find(({ createdAt }) => createdAt > at + CLOCK_TOLERANCE_MS);
  return { after: later ? later.seq - 1 : (messages.at(-1)?.seq ?? 0) };
}

/** Own messages right behind what was seen are no news, but nothing beyond another's answer is seen. */
function seenOf({ log: { messages }, own }: ConversationState, { after, behind }: View): View {
  if (after === undefined) return {};
  let seen = Math.max(after, messages.find(({ id }) => id === behind)?.seq ?? 0);
  if ((messages[0]?.seq ?? 0) > seen + 1) return { after: seen };
  for (const { seq, id, sender } of messages) {
    if (seq <= seen || sender === 'visitor') continue;
    if (!own.includes(id)) break;
    seen = seq;
  }
  return { after: seen };
}

/** One at a time: each must say that its writer has seen the one before. */
function sendable({ pending }: ConversationState): Pending[] {
  return pending
    .filter((p) => p.state !== 'failed')
    .slice(0, 1)
    .filter((p) => p.state === 'waiting');
}
