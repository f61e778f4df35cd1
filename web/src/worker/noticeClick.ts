import { conversationCalls } from '@settee/protocol/calls/conversationCalls';
import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import type { Unsent } from '../chat/model/unsent.ts';
import { flushOutbox } from '../chat/outbox/flushOutbox.ts';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import { memoryOutbox, type Outbox, staffStorageKey } from '../chat/outbox/outbox.ts';
import { createApi } from '../net/api.ts';
import { randomId } from '../net/randomId.ts';
import { staffTokens } from '../net/staffTokens.ts';
import type { WorkerMessage } from '../push/workerMessage.ts';
import { findAnyChat, findChat, findSignedInStaff, findWorkerTexts } from '../push/workerStorage.ts';
import {
  type NoticeSubject,
  parseNoticeSubject,
  REPLY,
  replyFailedNotice,
  replyRefusedNotice,
} from './notice.ts';
import { type NoticeEvent, readWithTimeout, type ShownNotice, scope, type Window } from './scope.ts';
import { askWindow, consolePath, isChat, isConsole, locateWindow, openWindows, pathOf } from './windows.ts';

/**
 * Sends a reply that a handler typed into a notification. It is stored in the outbox first and contains the number of
 * the message that it answers, so it is refused if a colleague has answered meanwhile. An unsent reply stays in the
 * outbox, where the console sends it or shows it as not sent.
 */
export async function sendReply(notice: ShownNotice, about: NoticeSubject, text: string): Promise<void> {
  const { conversationId, seq } = about;
  if (conversationId === undefined) return;
  const entry: Unsent = {
    id: randomId(),
    conversationId,
    text: cleanMessageText(text),
    at: Date.now(),
    state: 'queued',
    ...(seq !== undefined && { after: seq }),
  };
  const staffId = await findReplier(about);
  const { outbox, stored } = await store(entry, staffId);
  const sent = staffId === undefined ? 'waits' : await send(entry, outbox, staffId);
  if (sent === 'stored') return notice.close();
  const inOutbox = stored && sent === 'waits';
  const texts = await readWithTimeout(findWorkerTexts('staff'));
  const { title, options } = inOutbox
    ? replyFailedNotice(notice.title, about, texts)
    : replyRefusedNotice(notice.title, about, text, texts);
  await scope.registration.showNotification(title, options);
  // Remove it only now that the notification contains the text.
  if (inOutbox) await notifyConsoles({ type: 'unsent', conversationId });
  else await outbox.remove(entry.id);
}

/** The person whom the notification was for, if they are still signed in. Nobody else may send the reply. */
async function findReplier({ staffId }: NoticeSubject): Promise<string | undefined> {
  const now = await readWithTimeout(findSignedInStaff());
  return now === staffId ? staffId : undefined;
}

/** If nobody is signed in or storage is full, the notification must contain the text. */
async function store(entry: Unsent, staffId: string | undefined) {
  if (staffId !== undefined) {
    const outbox = indexedDbOutbox(staffStorageKey(staffId));
    const stored = await outbox.put(entry).then(
      () => true,
      () => false,
    );
    if (stored) return { outbox, stored };
  }
  const outbox = memoryOutbox();
  await outbox.put(entry);
  return { outbox, stored: false };
}

/**
 * Sends earlier unsent messages of this chat first. If a colleague answered meanwhile, the reply waits in the console.
 * After any other refusal, for example of a transferred chat, the console does not show it.
 */
async function send(
  { id, conversationId }: Unsent,
  outbox: Outbox,
  staffId: string,
): Promise<'stored' | 'waits' | 'refused'> {
  let refused = false;
  const onRefused = (which: string, code: ErrorCode) => {
    refused ||= which === id && code !== 'reply_outdated';
  };
  const api = createApi({ ...conversationCalls, ...mediaCalls }, { tokens: staffTokens(staffId) });
  const ofThisChat = { ...outbox, listAll: () => outbox.list(conversationId) };
  await flushOutbox({ outbox: ofThisChat, api, onRefused }).catch((error: unknown) =>
    console.error('reply:', error),
  );
  if (refused) return 'refused';
  return (await outbox.list(conversationId)).some((left) => left.id === id) ? 'waits' : 'stored';
}

async function notifyConsoles(message: WorkerMessage): Promise<void> {
  for (const window of await openWindows()) if (isConsole(window)) window.postMessage(message, []);
}

/** A console that does not answer in this time is signed out or suspended. */
const RECEIVED_WITHIN_MS = 1_000;

export async function onNoticeClick({ notification, action, reply }: NoticeEvent): Promise<void> {
  const about = parseNoticeSubject(notification.data);
  // Some platforms have the button without a text field. There it opens the chat.
  if (action === REPLY && about?.to === 'staff' && reply?.trim()) {
    return sendReply(notification, about, reply);
  }
  if (!about?.holdsWords) notification.close();
  await (about?.to === 'staff' ? openConsole(about.conversationId) : openChat(about?.conversationId));
}

/** Focuses the tab of this chat, or opens a new one. */
async function openChat(conversationId: string | undefined): Promise<void> {
  const path = conversationId && (await readWithTimeout(findChat(conversationId)));
  const windows = (await openWindows()).filter((window) => (path ? pathOf(window) === path : isChat(window)));
  const [open] = inSightFirst(windows);
  if (open) await open.focus();
  else await scope.clients.openWindow(path || (await readWithTimeout(findAnyChat())) || '/');
}

/** An open console navigates to the chat itself. A reload would lose unfinished work. */
async function openConsole(conversationId: string | undefined): Promise<void> {
  const path = consolePath(conversationId);
  const windows = inSightFirst((await openWindows()).filter(isConsole));
  const places = await Promise.all(windows.map(locateWindow));
  const open = windows[places.findIndex((place) => place?.path === path)] ?? windows[0];
  if (!open) return void (await scope.clients.openWindow(path));
  await open.focus();
  // Also if the console already shows the conversation, because its user may be leaving it.
  if (conversationId === undefined) return;
  const answer = await askWindow(open, { type: 'openChat', conversationId }, RECEIVED_WITHIN_MS);
  if (answer !== undefined) return;
  // A page that this worker does not control, such as after a forced reload, cannot be sent elsewhere.
  await open.navigate(path).catch(() => scope.clients.openWindow(path));
}

function inSightFirst(windows: readonly Window[]): Window[] {
  const rank = (window: Window) => Number(window.focused) * 2 + Number(window.visibilityState === 'visible');
  return windows.toSorted((a, b) => rank(b) - rank(a));
}
