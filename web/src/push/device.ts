import { attempt } from '../chat/model/attempt.ts';
import { isSafari } from './isSafari.ts';
import { chooseNotices, readPermission, wantsNotices } from './notices.ts';
import { registerWorker, workers } from './serviceWorker.ts';
import { clearSubscribedAs, type Side, saveSubscribedAs } from './workerStorage.ts';

export type DeviceSubscription = {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** When the push service ends it; null if unknown. */
  expiresAt: number | null;
  /** The installation's key that it was created with, if the browser reports it. */
  key: string | null;
  unsubscribe(): Promise<unknown>;
};

/** The browser features that notifications need. Tests replace it. */
export type Device = {
  secure(): boolean;
  /** Safari in a tab on an iPhone or iPad. A chat on the Home Screen does not count. */
  iosTab(): boolean;
  /** Can show notices while a page is open. */
  notifies(): boolean;
  /** Can receive pushes while no page is open. */
  pushes(): boolean;
  permission(): NotificationPermission;
  askPermission(): Promise<NotificationPermission>;
  subscription(): Promise<DeviceSubscription | null>;
  subscribe(key: string): Promise<DeviceSubscription>;
  /** Runs while no other tab does such work. Without support for locks it runs at once. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

export const browserDevice: Device = {
  secure: () => isSecureContext,
  iosTab: () => isIosTab(navigator, matchMedia('(display-mode: standalone)').matches),
  notifies: () => 'Notification' in globalThis,
  pushes: () => 'PushManager' in globalThis && workers() !== undefined,
  permission() {
    const permission = readPermission();
    return permission === 'unsupported' ? 'default' : permission;
  },
  askPermission: () => Notification.requestPermission(),
  async subscription() {
    // Not `ready`, which never resolves if no worker was registered.
    const registration = await workers()?.getRegistration();
    const found = await registration?.pushManager?.getSubscription();
    return found ? readSubscription(found) : null;
  },
  async subscribe(key) {
    await registerWorker();
    const registration = await workers()?.ready;
    if (!registration) throw new Error('there is no service worker');
    return readSubscription(
      await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    );
  },
  async alone(work) {
    const locks = navigator.locks as LockManager | undefined;
    return locks ? locks.request('push', work) : work();
  },
};

type Agent = { userAgent: string; maxTouchPoints?: number; standalone?: boolean };

/** An iPad identifies itself as a Mac, but no Mac has a touch screen. */
export function isIosTab(
  { userAgent, maxTouchPoints = 0, standalone }: Agent,
  onHomeScreen: boolean,
): boolean {
  const apple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return apple && isSafari(userAgent) && !onHomeScreen && standalone !== true;
}

type Given = Pick<PushSubscription, 'endpoint' | 'expirationTime' | 'getKey' | 'options' | 'unsubscribe'>;

export function readSubscription(given: Given): DeviceSubscription {
  return {
    endpoint: given.endpoint,
    p256dh: base64url(given.getKey('p256dh')),
    auth: base64url(given.getKey('auth')),
    expiresAt: given.expirationTime,
    key: given.options?.applicationServerKey ? base64url(given.options.applicationServerKey) : null,
    unsubscribe: () => given.unsubscribe(),
  };
}

function base64url(bytes: ArrayBuffer | null): string {
  const letters = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

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
