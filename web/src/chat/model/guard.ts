import { type ConversationState, type Guard, hasStopped, type Pending } from './conversationState.ts';
import { type Log, lastSeq } from './log.ts';
import type { View } from './unsent.ts';

/** Guards replies if several people answer. The visitor's page does not load it. */
export const guard: Guard = { viewOf, viewAt, seenOf, sendable };

/** Maximum clock difference between browser and server. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Before the log has loaded, the view is unknown. */
function viewOf({ log, pending, loaded }: ConversationState): View {
  if (!loaded) return {};
  const behind = pending.at(-1)?.id;
  return { after: lastSeq(log), ...(behind !== undefined && { behind }) };
}

/** The view of an early reply: the messages that existed at that time. */
function viewAt({ messages }: Log, at: number): View {
  const later = messages.find(({ createdAt }) => createdAt > at + CLOCK_TOLERANCE_MS);
  return { after: later ? later.seq - 1 : (messages.at(-1)?.seq ?? 0) };
}

/** Own messages directly after the view count as seen, but nothing after another writer's message. */
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

/** One at a time, because each must state that its writer has seen the one before. */
function sendable({ pending }: ConversationState): Pending[] {
  return pending
    .filter((p) => !hasStopped(p.state))
    .slice(0, 1)
    .filter((p) => p.state === 'waiting');
}
