import { isWindowLocation, type WorkerMessage } from '../push/workerMessage.ts';
import { CHAT_PATH, scope, type Window } from './scope.ts';

const CONSOLE_PATH = '/handler';

/** A console that does not answer in this time is suspended or signed out. A click allows little more time. */
const ANSWER_WITHIN_MS = 400;

export function openWindows(): Promise<readonly Window[]> {
  return scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

/** The path without a trailing slash. It is the address that the window was loaded from. */
export function pathOf({ url }: Pick<Window, 'url'>): string {
  return withoutSlash(new URL(url).pathname);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

export function isChat(window: Pick<Window, 'url'>): boolean {
  return pathOf(window).startsWith(CHAT_PATH);
}

export function isConsole(window: Pick<Window, 'url'>): boolean {
  return `${pathOf(window)}/`.startsWith(`${CONSOLE_PATH}/`);
}

export function consolePath(conversationId: string | undefined): string {
  return conversationId === undefined ? CONSOLE_PATH : `${CONSOLE_PATH}/conversation/${conversationId}`;
}

/** The answer of a window to a message; undefined without an answer in time. */
export function askWindow(
  window: Pick<Window, 'postMessage'>,
  message: WorkerMessage,
  ms: number,
): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const answered = (answer: unknown) => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(answered, ms);
    port1.onmessage = ({ data }) => answered(data);
    window.postMessage(message, [port2]);
  });
}

/** Asks a console which conversation it shows, because it navigates without reloading. */
export async function locateWindow(window: Window): Promise<{ path: string; looksAt: boolean } | undefined> {
  const answer = await askWindow(window, { type: 'where' }, ANSWER_WITHIN_MS);
  return isWindowLocation(answer) ? { path: withoutSlash(answer.path), looksAt: answer.looksAt } : undefined;
}

/** Whether a visible window shows this chat. */
export async function isChatVisible(path: string | undefined): Promise<boolean> {
  return (await openWindows()).some((window) => inSight(window) && pathOf(window) === path);
}

/** Whether a visible console shows this conversation. */
export async function isConversationVisible(conversationId: string): Promise<boolean> {
  const consoles = (await openWindows()).filter((window) => isConsole(window) && inSight(window));
  const places = await Promise.all(consoles.map(locateWindow));
  return places.some((place) => place?.looksAt && place.path === consolePath(conversationId));
}

function inSight({ focused, visibilityState }: Window): boolean {
  return focused && visibilityState === 'visible';
}
