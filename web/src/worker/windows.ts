import { isWindowLocation } from '../push/workerMessage.ts';
import { askWindow } from './askWindow.ts';
import { CHAT_PATH, scope, type Window } from './scope.ts';

const CONSOLE_PATH = '/handler';

/** A console that says nothing for this long is asleep, or shows its sign-in. A click allows little more. */
const SAYS_WITHIN_MS = 400;

export function openWindows(): Promise<readonly Window[]> {
  return scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

/** With or without a slash at the end, it is the same page. The address is the one that the window was loaded from. */
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

/** Where somebody is in a console, by its own word: it goes from chat to chat without being loaded anew. */
export async function locateWindow(window: Window): Promise<{ path: string; looksAt: boolean } | undefined> {
  const said = await askWindow(window, { type: 'where' }, SAYS_WITHIN_MS);
  return isWindowLocation(said) ? { path: withoutSlash(said.path), looksAt: said.looksAt } : undefined;
}

/** Somebody has this very chat before their eyes. */
export async function isChatVisible(path: string | undefined): Promise<boolean> {
  return (await openWindows()).some((window) => inSight(window) && pathOf(window) === path);
}

/** The same of a chat in a console. */
export async function isConversationVisible(conversationId: string): Promise<boolean> {
  const consoles = (await openWindows()).filter((window) => isConsole(window) && inSight(window));
  const places = await Promise.all(consoles.map(locateWindow));
  return places.some((place) => place?.looksAt && place.path === consolePath(conversationId));
}

function inSight({ focused, visibilityState }: Window): boolean {
  return focused && visibilityState === 'visible';
}
