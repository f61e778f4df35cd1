import { attempt } from '../chat/model/attempt.ts';
import { chooseNotices, wantsNotices } from './notices.ts';
import { clearSubscribedAs, type Side, saveSubscribedAs } from './subscribedAs.ts';

const KEY = 'push';

/**
 * The person whom this browser notifies, the push address, and when it was last sent to the server. A browser has one
 * address, so it notifies only the person who enabled notifications last.
 */
export type StoredSubscription = { side: Side; id: string; endpoint: string; at: number };

/** The notification settings stored in this browser. */
export type PushMemory = {
  read(): StoredSubscription | null;
  /** False if the browser cannot store it. */
  write(told: StoredSubscription): boolean;
  forget(): void;
  /** Notices while a page is open: the only kind if the installation sends no pushes. */
  wantsNotices(): boolean;
  chooseNotices(wanted: boolean): void;
};

export const browserPushMemory: PushMemory = {
  read: () =>
    attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as StoredSubscription | null) ?? null,
  write(told) {
    const written = attempt(() => localStorage.setItem(KEY, JSON.stringify(told)) ?? true) ?? false;
    if (!written) return false;
    saveSubscribedAs(told).catch(logged);
    return true;
  },
  forget() {
    attempt(() => localStorage.removeItem(KEY));
    clearSubscribedAs().catch(logged);
  },
  wantsNotices,
  chooseNotices,
};

/** Without these values the worker can do less. The page corrects this when it opens. */
function logged(error: unknown): void {
  console.error('notifications:', error);
}
