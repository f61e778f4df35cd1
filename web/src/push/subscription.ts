import { PUSH_REFRESH_MS } from '@settee/protocol/model/push';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createStore } from '../browser/createStore.ts';
import type { Clock } from '../net/clock.ts';
import { isFinalError } from '../net/isFinalError.ts';
import type { Device, PushMemory, StoredSubscription } from './device.ts';
import { type Person, type Push, type PushState, type PushStatus, unavailableTexts } from './push.ts';
import { type PushApi, registration } from './registration.ts';
import { withTimeout } from './withTimeout.ts';

/** Maximum wait for the server on sign-out. The server also ends the session's notifications by itself. */
const LEAVE_WITHIN_MS = 2_000;

const failed = {
  enabling: pushTexts.enableFailed,
  disabling: pushTexts.disableFailed,
  testing: pushTexts.testFailed,
} as const;

export type PushParts = { person: Person; device: Device; memory: PushMemory; api: PushApi; clock: Clock };

/** Notifications of one person in this browser: whether they are on, their renewal, and the texts about them. */
export function pushFor({ person, device, memory, api, clock }: PushParts): Push {
  const server = registration({ device, api, clock });
  const store = createStore<PushState>({
    status: 'loading',
    offers: null,
    busy: null,
    problem: null,
    news: null,
  });
  let gone = false;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** Runs one task at a time across all tabs, so that a renewal and an unsubscribe cannot overlap. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(() => device.alone(work));
    lastTurn = turn.catch(() => {});
    return turn;
  }

  /**
   * The stored subscription, if it belongs to this person. A browser is one visitor, even after the server changed its
   * id.
   */
  function mine(): StoredSubscription | null {
    const stored = memory.read();
    if (stored?.side !== person.side) return null;
    return person.side === 'visitor' || stored.id === person.id ? stored : null;
  }

  /** False if nothing can be stored, because then it could not be ended either. */
  function remember(endpoint: string): boolean {
    if (gone || person.id === null) return false;
    if (!memory.write({ side: person.side, id: person.id, endpoint, at: clock.now() })) return false;
    // One notification per message: from now on only the worker shows it.
    memory.chooseNotices(false);
    return true;
  }

  /** In Safari on iOS, instructions are more useful than "unsupported". */
  function inability(): keyof typeof unavailableTexts | null {
    if (!device.secure()) return 'insecure';
    if (device.iosTab()) return 'iosTab';
    const noticesAlone = server.knownKey() === null;
    return device.notifies() && (noticesAlone || device.pushes()) ? null : 'unsupported';
  }

  async function readStatus(): Promise<PushStatus> {
    const unable = inability();
    if (unable) return unable;
    if (device.permission() === 'denied') return 'blocked';
    if (device.permission() !== 'granted') return 'off';
    // A browser that does not answer may still have its subscription.
    if (mine() && (await server.inTime(device.subscription()).catch(() => true))) return 'on';
    return memory.wantsNotices() ? 'inTab' : 'off';
  }

  async function show(): Promise<void> {
    store.update({ status: await readStatus() });
  }

  async function act(
    busy: NonNullable<PushState['busy']>,
    work: () => Promise<string | null>,
  ): Promise<void> {
    if (store.get().busy) return;
    store.update({ busy, problem: null, news: null });
    const problem = await work().catch((error: unknown) => {
      console.error(`${busy}:`, error);
      return failed[busy];
    });
    await show();
    store.update({ busy: null, problem });
  }

  function whyNot(): string | null {
    const unable = inability();
    if (unable) return unavailableTexts[unable];
    if (person.id !== null) return null;
    return person.side === 'visitor' ? pushTexts.needsVisitor : pushTexts.needsAlias;
  }

  async function turnOn(): Promise<string | null> {
    const before = memory.read();
    const key = await server.key();
    if (key === undefined) return failed.enabling;
    if (key === null) {
      memory.chooseNotices(true);
      return null;
    }
    if (!device.pushes()) return texts.noticesUnsupported;
    const subscription = await server.subscribe(key);
    if (!subscription) return pushTexts.noToken;
    const saved = await server.save(subscription, mine()?.endpoint);
    if (saved?.ok && remember(subscription.endpoint)) return null;
    // The answer may have been lost after it was saved. An address that belonged to another person stays theirs.
    if (saved?.ok || before?.endpoint !== subscription.endpoint) await undo(subscription.endpoint);
    // A person without access to any conversation sees the reason.
    return saved && !saved.ok && saved.code === 'access_denied' ? saved.text : failed.enabling;
  }

  async function turnOff(): Promise<string | null> {
    memory.chooseNotices(false);
    const stored = mine();
    if (!stored) return null;
    // Notifications stay on while the server still has the subscription.
    if (!(await server.drop(stored.endpoint))) return failed.disabling;
    memory.forget();
    await server.unsubscribe();
    return null;
  }

  async function undo(endpoint: string): Promise<void> {
    await server.drop(endpoint);
    await server.unsubscribe();
  }

  /** Ends a subscription that no longer works. If the server cannot be reached, the next start retries. */
  async function giveUp(stored: StoredSubscription): Promise<void> {
    await server.unsubscribe();
    if (await server.drop(stored.endpoint)) memory.forget();
  }

  /** The server does not know the address, or it does not work: creates a new one, or turns notifications off. */
  async function replace(): Promise<string | null> {
    await server.unsubscribe();
    const problem = await turnOn();
    if (problem !== null && mine()) memory.forget();
    return problem;
  }

  async function keepAlive(inAnyCase: boolean): Promise<void> {
    // An earlier task may have ended it.
    const stored = mine();
    if (!stored || gone) return;
    if (device.permission() !== 'granted') return giveUp(stored);
    const key = await server.key();
    if (key === undefined || gone) return;
    if (key === null) return giveUp(stored);
    const subscription = await server.subscribe(key);
    // The browser may only be slow. The next start retries.
    if (!subscription) return;
    // A person who signs out does not wait for other tasks.
    if (hasLeft()) return server.unsubscribe();
    const known = stored.endpoint === subscription.endpoint && stored.id === person.id;
    if (known && !inAnyCase && clock.now() - stored.at < PUSH_REFRESH_MS) return;
    const saved = await server.save(subscription, stored.endpoint);
    if (hasLeft()) return undo(subscription.endpoint);
    if (saved?.ok) remember(subscription.endpoint);
    else if (saved && isFinalError(saved.code)) await giveUp(stored);
  }

  function hasLeft(): boolean {
    return gone || memory.read() === null;
  }

  async function refresh({ inAnyCase = false } = {}): Promise<void> {
    await show();
    if (!mine() || person.id === null) return;
    await inTurn(() => keepAlive(inAnyCase));
    await show();
  }

  async function forget(): Promise<void> {
    gone = true;
    if (!mine()) return;
    memory.forget();
    await server.unsubscribe();
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () => refresh(),
    outdate() {
      const stored = mine();
      if (stored) memory.write({ ...stored, at: clock.now() - PUSH_REFRESH_MS });
    },
    async look() {
      store.update({ problem: null, news: null });
      // The server may have removed it meanwhile, for another device of this person.
      await refresh({ inAnyCase: true });
      const key = await server.key();
      // If the key is unknown, offer push. Enabling reads the key again.
      store.update({ offers: key === null ? 'notices' : 'push', status: await readStatus() });
    },
    async enable() {
      const why = whyNot();
      if (why) return store.update({ problem: why, news: null });
      await act('enabling', async () => {
        // First, while the browser still counts this as a user gesture.
        if ((await device.askPermission()) !== 'granted') return texts.noticesDenied;
        return inTurn(turnOn);
      });
    },
    disable: () => act('disabling', () => inTurn(turnOff)),
    async test() {
      if (!mine()) return show();
      let news: string | null = null;
      await act('testing', async () => {
        let sent = await server.test(mine()?.endpoint);
        if (sent?.ok === false && sent.code === 'push_refused') {
          const problem = await inTurn(replace);
          if (problem !== null) return problem;
          sent = await server.test(mine()?.endpoint);
        }
        if (!sent?.ok) return failed.testing;
        news = pushTexts.testSent;
        return null;
      });
      if (news) store.update({ news });
    },
    async leave() {
      gone = true;
      const stored = mine();
      if (!stored) return;
      const dropping = server.drop(stored.endpoint);
      await withTimeout(clock, LEAVE_WITHIN_MS, Promise.all([dropping, forget()])).catch(() => {});
    },
    forget,
  };
}
