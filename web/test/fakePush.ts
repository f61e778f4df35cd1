import type { Device, DeviceSubscription, PushMemory, StoredSubscription } from '../src/push/device.ts';
import type { Person } from '../src/push/push.ts';
import type { PushApi } from '../src/push/registration.ts';
import { pushFor } from '../src/push/subscription.ts';
import { fakeClock } from './fakeClock.ts';

type InviteTask = { name: string; body?: { endpoint: string; instead?: string } };

const never = () => new Promise<never>(() => {});

/** A browser, its push service and the server. `world` decides what each of them does. */
export function fakePush(
  person: Person = { side: 'visitor', id: 'v1' },
  stored: StoredSubscription | null = null,
) {
  const clock = fakeClock();
  const world = {
    secure: true,
    iosTab: false,
    notifies: true,
    pushes: true,
    permission: 'default' as NotificationPermission,
    answersPermission: 'granted' as NotificationPermission,
    /** Whether the push service creates a subscription; undefined: it never answers. */
    gives: true as boolean | undefined,
    expiresAt: null as number | null,
    subscription: null as DeviceSubscription | null,
    key: 'key-1' as string | null,
    /** Calls that the server refuses, with their status; 0 means no answer. */
    refuses: {} as Record<string, { status: number; code?: string; text?: string }>,
    /** Calls that the server never answers. */
    silent: new Set<string>(),
    /** The server answers these calls after their promise. */
    slow: {} as Record<string, Promise<void>>,
    /** The address that the server has removed. */
    goneAt: undefined as string | undefined,
    asked: [] as InviteTask[],
    subscribed: 0,
    stored,
    /** Whether the browser can store data. */
    keeps: true,
    notices: false,
  };

  const subscriptionOf = (key: string): DeviceSubscription => {
    world.subscribed += 1;
    return {
      endpoint: `https://push.example/${world.subscribed}`,
      p256dh: 'p',
      auth: 'a',
      expiresAt: world.expiresAt,
      key,
      async unsubscribe() {
        world.subscription = null;
      },
    };
  };

  let lastWork: Promise<unknown> = Promise.resolve();

  const device: Device = {
    alone(work) {
      const mine = lastWork.then(work);
      lastWork = mine.catch(() => {});
      return mine;
    },
    secure: () => world.secure,
    iosTab: () => world.iosTab,
    notifies: () => world.notifies,
    pushes: () => world.pushes,
    permission: () => world.permission,
    async askPermission() {
      world.permission = world.answersPermission;
      return world.permission;
    },
    subscription: async () => world.subscription,
    async subscribe(key) {
      if (world.gives === undefined) return never();
      if (!world.gives) throw new DOMException('no', 'AbortError');
      world.subscription ??= subscriptionOf(key);
      return world.subscription;
    },
  };

  const memory: PushMemory = {
    read: () => world.stored,
    write(next) {
      if (world.keeps) world.stored = next;
      return world.keeps;
    },
    forget: () => void Object.assign(world, { stored: null }),
    wantsNotices: () => world.notices,
    chooseNotices: (wanted) => void Object.assign(world, { notices: wanted }),
  };

  const api = (async (name: string, parts: { body?: InviteTask['body'] }) => {
    world.asked.push({ name, ...(parts.body && { body: parts.body }) });
    if (world.silent.has(name)) return never();
    await world.slow[name];
    const gone = name === 'testPush' && parts.body?.endpoint === world.goneAt;
    const refusal = gone ? { status: 422, code: 'push_refused' } : world.refuses[name];
    if (refusal) return { ok: false, code: undefined, text: '', answer: undefined, ...refusal };
    return { ok: true, answer: { success: true, publicKey: world.key } };
  }) as unknown as PushApi;

  return {
    world,
    clock,
    push: pushFor({ person, device, memory, api, clock }),
    /** Another person in the same browser. */
    other: (who: Person) => pushFor({ person: who, device, memory, api, clock }),
    calls: (name: string) => world.asked.filter((each) => each.name === name).map(({ body }) => body),
  };
}
