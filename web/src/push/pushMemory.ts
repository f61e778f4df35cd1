import { attempt } from '../chat/model/attempt.ts';
import { chooseNotices, wantsNotices } from './notices.ts';
import { clearSubscribedAs, type Side, saveSubscribedAs } from './subscribedAs.ts';

const KEY = 'push';

/**
 * Whom this browser is told for, at which address, and when the server last heard of it. A browser has one address,
 * so it tells one person: who enabled it last. For the other it is off.
 */
export type StoredSubscription = { side: Side; id: string; endpoint: string; at: number };

/** What this browser remembers of notifications. */
export type PushMemory = {
  read(): StoredSubscription | null;
  /** False where this browser keeps nothing. */
  write(told: StoredSubscription): boolean;
  forget(): void;
  /** Notices while a page is open: all there is where the installation sends no pushes. */
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

/** The worker then does less by itself; the page makes up for it when it opens. */
function logged(error: unknown): void {
  console.error('notifications:', error);
}
