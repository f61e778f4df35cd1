import { texts } from '@settee/protocol/texts/texts';
import { attempt } from '../chat/model/attempt.ts';
import type { Side } from './workerStorage.ts';

const WANTED_KEY = 'notices';

export type Permission = NotificationPermission | 'unsupported';

export function readPermission(): Permission {
  return isSecureContext && 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** The user's choice in this browser. The browser's permission is needed too. */
export function wantsNotices(): boolean {
  return attempt(() => localStorage.getItem(WANTED_KEY)) === 'on';
}

export function chooseNotices(wanted: boolean): void {
  attempt(() => (wanted ? localStorage.setItem(WANTED_KEY, 'on') : localStorage.removeItem(WANTED_KEY)));
}

/** Whether a notice is wanted, allowed and useful: not while the user looks at the page. */
export function mayNotify(): boolean {
  return document.hidden && wantsNotices() && readPermission() === 'granted';
}

/** If the worker shows the notice, it also handles the click and needs to know which page to open. */
type NoticeAbout = { to: Side; conversationId: string };

/** Reports a message but never its text, because others may see the screen. A click opens the tab. */
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
    // Browsers on Android show notices only through a service worker.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, options);
  }
}
