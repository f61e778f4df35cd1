import { findAnyChat, findChat } from '../push/workerStorage.ts';
import { parseNoticeSubject, REPLY } from './notice.ts';
import { readWithTimeout } from './readWithTimeout.ts';
import { sendReply } from './reply.ts';
import { type NoticeEvent, scope, type Window } from './scope.ts';
import { askWindow, consolePath, isChat, isConsole, locateWindow, openWindows, pathOf } from './windows.ts';

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
