import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { OutboxEntry } from '../chat/model/conversationState.ts';
import { flushOutbox } from '../chat/outbox/flushOutbox.ts';
import { memoryOutbox, type Outbox } from '../chat/outbox/outbox.ts';
import { staffOutbox } from '../chat/outbox/staffOutbox.ts';
import { createApi } from '../net/api.ts';
import { randomId } from '../net/randomId.ts';
import { staffTokens } from '../net/staffTokens.ts';
import { findSignedInStaff } from '../push/signedInStaff.ts';
import type { WorkerMessage } from '../push/workerMessage.ts';
import { type NoticeSubject, replyFailedNotice, replyRefusedNotice } from './notice.ts';
import { readWithTimeout } from './readWithTimeout.ts';
import { type ShownNotice, scope } from './scope.ts';
import { isConsole, openWindows } from './windows.ts';

/**
 * A handler's answer, typed into the notification. It goes into the outbox first, like every word, and says which
 * message it answers: if somebody else was quicker it is refused. What could not be sent stays in the outbox; the
 * console takes it from there, sends it, or gives it back to the composer.
 */
export async function sendReply(notice: ShownNotice, about: NoticeSubject, words: string): Promise<void> {
  const { conversationId, seq } = about;
  if (conversationId === undefined) return;
  const entry: OutboxEntry = {
    id: randomId(),
    conversationId,
    text: cleanMessageText(words),
    at: Date.now(),
    ...(seq !== undefined && { after: seq }),
  };
  const staffId = await whoReplies(about);
  const { outbox, kept } = await keepSafe(entry, staffId);
  const sent = staffId === undefined ? 'waits' : await send(entry, outbox, staffId);
  if (sent === 'stored') return notice.close();
  const held = kept && sent === 'waits';
  const { title, options } = held
    ? replyFailedNotice(notice.title, about)
    : replyRefusedNotice(notice.title, about, words);
  await scope.registration.showNotification(title, options);
  // Only once they stand somewhere else.
  if (held) await tellConsoles({ type: 'unsent', conversationId });
  else await outbox.remove(entry.id);
}

/** Whom the notification was for, if they are still signed in: a reply of theirs is sent in nobody else's name. */
async function whoReplies({ staffId }: NoticeSubject): Promise<string | undefined> {
  const now = await readWithTimeout(findSignedInStaff());
  return now === staffId ? staffId : undefined;
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

/**
 * Earlier words for this chat that are still unsent go before it. What was answered meanwhile waits for the console,
 * which gives it back to the composer; a chat that refuses it otherwise, as one that was handed over, has none there.
 */
async function send(
  { id, conversationId }: OutboxEntry,
  outbox: Outbox,
  staffId: string,
): Promise<'stored' | 'waits' | 'refused'> {
  let refused = false;
  const onRefused = (which: string, code: ErrorCode) => {
    refused ||= which === id && code !== 'reply_outdated';
  };
  const api = createApi({ ...visitorCalls, ...mediaCalls }, { tokens: staffTokens(staffId) });
  const ofThisChat = { ...outbox, listAll: () => outbox.list(conversationId) };
  await flushOutbox({ outbox: ofThisChat, api, onRefused }).catch((error: unknown) =>
    console.error('reply:', error),
  );
  if (refused) return 'refused';
  return (await outbox.list(conversationId)).some((left) => left.id === id) ? 'waits' : 'stored';
}

async function tellConsoles(message: WorkerMessage): Promise<void> {
  for (const window of await openWindows()) if (isConsole(window)) window.postMessage(message, []);
}
