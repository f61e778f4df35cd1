import { texts } from '@settee/protocol/texts/texts';
import { attempt } from '../chat/model/attempt.ts';
import type { Side } from './subscribedAs.ts';

const WANTED_KEY = 'notices';

export type Permission = NotificationPermission | 'unsupported';

export function readPermission(): Permission {
  return isSecureContext && 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** What this person chose in this browser; the browser's own permission is asked for besides. */
export function wantsNotices(): boolean {
  return attempt(() => localStorage.getItem(WANTED_KEY)) === 'on';
}

export function chooseNotices(wanted: boolean): void {
  attempt(() => (wanted ? localStorage.setItem(WANTED_KEY, 'on') : localStorage.removeItem(WANTED_KEY)));
}

/** Whether a notice is wanted, allowed, and of use: who looks at the page needs none. */
export function mayNotify(): boolean {
  return document.hidden && wantsNotices() && readPermission() === 'granted';
}

/** Where the worker shows it, it also hears the click, and has to know where that leads. */
type NoticeAbout = { to: Side; conversationId: string };

/** Says that there is a message, never what it says: a screen may lie open on a table. A click leads to the tab. */
export async function showNotice(title: string, about: NoticeAbout, onClick?: () => void): Promise<void> {
  const options = { body: texts.noticeBody, tag: about.conversationId, data: about };
  try {
    const notice = new Notification(title, options);
    notice.onclick = () => {
      window.focus();
      notice.close();
      onClick?.();
    };
  } catch {
    // Android's browsers show notices through a service worker only.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, options);
  }
}
