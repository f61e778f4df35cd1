import { isSafari } from './isSafari.ts';
import { readPermission } from './notices.ts';
import { registerWorker, workers } from './serviceWorker.ts';

/** What the browser's push service gave this browser. */
export type DeviceSubscription = {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** When the push service ends it by itself; null when it does not say. */
  expiresAt: number | null;
  /** The installation's key that it was made with, where the browser tells. */
  key: string | null;
  unsubscribe(): Promise<unknown>;
};

/** All that notifications need of a browser, so that a test can be one. */
export type Device = {
  secure(): boolean;
  /** Safari in a tab of an iPhone or iPad; a chat on the Home Screen is none. */
  iosTab(): boolean;
  /** Can show notices while a page is open. */
  notifies(): boolean;
  /** Can be reached also when none is. */
  pushes(): boolean;
  permission(): NotificationPermission;
  askPermission(): Promise<NotificationPermission>;
  subscription(): Promise<DeviceSubscription | null>;
  subscribe(key: string): Promise<DeviceSubscription>;
  /** While no other tab does such work. Where there are no locks, whoever asks does. */
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
    // Not `ready`, which waits for ever where no worker was registered yet.
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

/** An iPad calls itself a Mac, but no Mac has a touch screen. */
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
