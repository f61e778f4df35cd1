import { attempt } from '../chat/model/attempt.ts';
import type { Device } from './device.ts';
import { chooseNotices, wantsNotices } from './notices.ts';
import { clearSubscribedAs, type Side, saveSubscribedAs } from './workerStorage.ts';

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
  write(stored: StoredSubscription): boolean;
  forget(): void;
  /** Notices while a page is open: the only kind if the installation sends no pushes. */
  wantsNotices(): boolean;
  chooseNotices(wanted: boolean): void;
};

export const browserPushMemory: PushMemory = {
  read: () =>
    attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as StoredSubscription | null) ?? null,
  write(stored) {
    const written = attempt(() => localStorage.setItem(KEY, JSON.stringify(stored)) ?? true) ?? false;
    if (!written) return false;
    saveSubscribedAs(stored).catch(logged);
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

/**
 * Ends the notifications of another staff member who did not sign out, so that the current user does not see who writes
 * to them. The server removes the address when its next push fails.
 */
export async function unsubscribeOtherUser(
  staffId: string,
  memory: Pick<PushMemory, 'read' | 'forget'>,
  device: Pick<Device, 'subscription'>,
): Promise<void> {
  const stored = memory.read();
  if (stored?.side !== 'staff' || stored.id === staffId) return;
  memory.forget();
  await (await device.subscription())?.unsubscribe();
}
