import { CHAT_PATH, scope, type Window } from './scope.ts';

const CONSOLE_PATH = '/handler';

export function openWindows(): Promise<readonly Window[]> {
  return scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

/** With or without a slash at the end, it is the same page. */
export function pathOf({ url }: Pick<Window, 'url'>): string {
  return new URL(url).pathname.replace(/\/$/, '');
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

/** Somebody has this very page before their eyes. */
export async function isLookedAt(path: string | undefined): Promise<boolean> {
  return (await openWindows()).some(
    (window) => window.focused && window.visibilityState === 'visible' && pathOf(window) === path,
  );
}
