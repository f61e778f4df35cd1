import { PUSH_REFRESH_MS } from '@settee/protocol/model/push';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createStore } from '../browser/createStore.ts';
import type { Clock } from '../net/clock.ts';
import { isFinalError } from '../net/isFinalError.ts';
import type { Device } from './device.ts';
import type { Person, Push, PushState, PushStatus } from './push.ts';
import type { PushMemory, StoredSubscription } from './pushMemory.ts';
import { type PushApi, registration } from './registration.ts';
import { unavailableTexts } from './unavailableTexts.ts';
import { withTimeout } from './withTimeout.ts';

/** Whoever signs out waits for the server no longer than this; it ends the session's notifications by itself too. */
const LEAVE_WITHIN_MS = 2_000;

const failed = {
  enabling: pushTexts.enableFailed,
  disabling: pushTexts.disableFailed,
  testing: pushTexts.testFailed,
} as const;

export type PushParts = { person: Person; device: Device; memory: PushMemory; api: PushApi; clock: Clock };

/** Notifications of one person in this browser: on or off, kept alive, and what is to be said about them. */
export function pushFor({ person, device, memory, api, clock }: PushParts): Push {
  const server = registration({ device, api, clock });
  const store = createStore<PushState>({
    standing: 'loading',
    offers: null,
    busy: null,
    problem: null,
    news: null,
  });
  let gone = false;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One thing at a time, in all tabs: what keeps a subscription alive must not meet what ends it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(() => device.alone(work));
    lastTurn = turn.catch(() => {});
    return turn;
  }

  /** What is remembered, if it is this person's. A browser is one visitor, whatever id the server gave it since. */
  function mine(): StoredSubscription | null {
    const told = memory.read();
    if (told?.side !== person.side) return null;
    return person.side === 'visitor' || told.id === person.id ? told : null;
  }

  /** False where nothing can be remembered: it could not be ended either then. */
  function remember(endpoint: string): boolean {
    if (gone || person.id === null) return false;
    if (!memory.write({ side: person.side, id: person.id, endpoint, at: clock.now() })) return false;
    // One message is one notification: the page leaves it to the worker from now on.
    memory.chooseNotices(false);
    return true;
  }

  /** Where Safari lacks all of it in a tab, what to do about that is the better answer. */
  function inability(): keyof typeof unavailableTexts | null {
    if (!device.secure()) return 'insecure';
    if (device.iosTab()) return 'iosTab';
    const noticesAlone = server.knownKey() === null;
    return device.notifies() && (noticesAlone || device.pushes()) ? null : 'unsupported';
  }

  async function standing(): Promise<PushStatus> {
    const unable = inability();
    if (unable) return unable;
    if (device.permission() === 'denied') return 'blocked';
    if (device.permission() !== 'granted') return 'off';
    // A browser that does not answer has lost nothing yet.
    if (mine() && (await server.inTime(device.subscription()).catch(() => true))) return 'on';
    return memory.wantsNotices() ? 'inTab' : 'off';
  }

  async function show(): Promise<void> {
    store.update({ standing: await standing() });
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
    const subscription = await server.subscribe(key).catch((error: unknown) => {
      console.error('subscribe:', error);
      return null;
    });
    if (!subscription) return pushTexts.noToken;
    const saved = await server.save(subscription, mine()?.endpoint);
    if (saved?.ok && remember(subscription.endpoint)) return null;
    // The answer may have been lost after it was saved. What was another person's before stays theirs.
    if (saved?.ok || before?.endpoint !== subscription.endpoint) await undo(subscription.endpoint);
    // Whoever has no place in any conversation reads so.
    return saved && !saved.ok && saved.code === 'access_denied' ? saved.text : failed.enabling;
  }

  async function turnOff(): Promise<string | null> {
    memory.chooseNotices(false);
    const told = mine();
    if (!told) return null;
    // While the server still has it, it is on, and says so.
    if (!(await server.drop(told.endpoint))) return failed.disabling;
    memory.forget();
    await server.unsubscribe();
    return null;
  }

  async function undo(endpoint: string): Promise<void> {
    await server.drop(endpoint);
    await server.unsubscribe();
  }

  /** Ends what can no longer reach anybody. Without the server it is tried again at the next start. */
  async function giveUp(told: StoredSubscription): Promise<void> {
    await server.unsubscribe();
    if (await server.drop(told.endpoint)) memory.forget();
  }

  /** The server has no such address, or it leads nowhere: another one, or it is off and says so. */
  async function replace(): Promise<string | null> {
    await server.unsubscribe();
    const problem = await turnOn();
    if (problem !== null && mine()) memory.forget();
    return problem;
  }

  async function keepAlive(inAnyCase: boolean): Promise<void> {
    // Whatever had its turn before this may have ended it.
    const told = mine();
    if (!told || gone) return;
    if (device.permission() !== 'granted') return giveUp(told);
    const key = await server.key();
    if (key === undefined || gone) return;
    if (key === null) return giveUp(told);
    const subscription = await server.subscribe(key).catch((error: unknown) => {
      console.error('subscribe:', error);
      return null;
    });
    // Left as it is where the browser is only slow: the next start sees to it.
    if (!subscription) return;
    // Nobody who leaves waits for a turn.
    if (hasLeft()) return server.unsubscribe();
    const known = told.endpoint === subscription.endpoint && told.id === person.id;
    if (known && !inAnyCase && clock.now() - told.at < PUSH_REFRESH_MS) return;
    const saved = await server.save(subscription, told.endpoint);
    if (hasLeft()) return undo(subscription.endpoint);
    if (saved?.ok) remember(subscription.endpoint);
    else if (saved && isFinalError(saved.code)) await giveUp(told);
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
      const told = mine();
      if (told) memory.write({ ...told, at: clock.now() - PUSH_REFRESH_MS });
    },
    async look() {
      store.update({ problem: null, news: null });
      // The server may have let go of it since, for another device of this person.
      await refresh({ inAnyCase: true });
      const key = await server.key();
      // Where nobody knows, the better offer: enabling asks once more.
      store.update({ offers: key === null ? 'notices' : 'push', standing: await standing() });
    },
    async enable() {
      const why = whyNot();
      if (why) return store.update({ problem: why, news: null });
      await act('enabling', async () => {
        // First of all, while the press still counts as one.
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
      const told = mine();
      if (!told) return;
      const dropping = server.drop(told.endpoint);
      await withTimeout(clock, LEAVE_WITHIN_MS, Promise.all([dropping, forget()])).catch(() => {});
    },
    forget,
  };
}
