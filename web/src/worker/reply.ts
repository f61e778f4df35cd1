import { mediaCalls } from '@settee/protocol/mediaCalls';
import { cleanMessageText } from '@settee/protocol/message';
import { visitorCalls } from '@settee/protocol/visitorCalls';
import type { OutboxEntry } from '../chat/conversationState.ts';
import { flushOutbox } from '../chat/flushOutbox.ts';
import { memoryOutbox, type Outbox } from '../chat/outbox.ts';
import { staffOutbox } from '../chat/staffOutbox.ts';
import { createApi } from '../net/api.ts';
import { staffTokens } from '../net/staffTokens.ts';
import type { FromWorker } from '../push/fromWorker.ts';
import { findStaff } from '../push/staffHere.ts';
import { type About, replyFailedNotice } from './notice.ts';
import { type ShownNotice, scope } from './scope.ts';
import { isConsole, openWindows } from './windows.ts';

/**
 * A handler's answer, typed into the notification. It goes into the outbox first, like every word, and says which
 * message it answers: if somebody else was quicker it is refused. What could not be sent stays in the outbox; the
 * console takes it from there, sends it, or gives it back to the composer.
 */
export async function sendReply(notice: ShownNotice, about: About, words: string): Promise<void> {
  const { conversationId, seq } = about;
  if (conversationId === undefined) return;
  const entry: OutboxEntry = {
    id: crypto.randomUUID(),
    conversationId,
    text: cleanMessageText(words),
    at: Date.now(),
    ...(seq !== undefined && { after: seq }),
  };
  const staffId = await findStaff().catch(() => undefined);
  const { outbox, kept } = await keepSafe(entry, staffId);
  if (staffId !== undefined && (await send(entry, outbox, staffId))) return notice.close();
  const { title, options } = replyFailedNotice(notice.title, about, kept ? undefined : words);
  await scope.registration.showNotification(title, options);
  await tellConsoles({ type: 'unsent', conversationId });
}

/** Where nobody is signed in, or storage is full, the notification itself has to hold the words. */
async function keepSafe(entry: OutboxEntry, staffId: string | undefined) {
  if (staffId !== undefined) {
    const outbox = staffOutbox(staffId);
    const kept = await outbox.put(entry).then(
      () => true,
      () => false,
    );
    if (kept) return { outbox, kept };
  }
  const outbox = memoryOutbox();
  await outbox.put(entry);
  return { outbox, kept: false };
}

/** Earlier words for this chat that are still unsent go before it. True once it is stored. */
async function send({ id, conversationId }: OutboxEntry, outbox: Outbox, staffId: string): Promise<boolean> {
  const api = createApi({ ...visitorCalls, ...mediaCalls }, { tokens: staffTokens(staffId) });
  const ofThisChat = { listAll: () => outbox.list(conversationId), remove: outbox.remove };
  await flushOutbox({ outbox: ofThisChat, api }).catch((error: unknown) => console.error('reply:', error));
  return !(await outbox.list(conversationId)).some((left) => left.id === id);
}

async function tellConsoles(message: FromWorker): Promise<void> {
  for (const window of await openWindows()) if (isConsole(window)) window.postMessage(message, []);
}
