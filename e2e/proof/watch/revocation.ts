import type { Down } from '@settee/protocol/frames/down';
import { type LiveSocket, openSocket } from '../world/liveSocket.ts';
import { Browser, type Chat, type Desk, signInAt } from '../world/world.ts';
import type { Scene, Watcher } from './scene.ts';

const PAUSE_MS = 1_000;
/** Longer than the limit. */
const GIVE_UP_AFTER_MS = 3_000;
/** A gateway that needs longer for an answer cannot read the database at present. */
const BLIND_MS = 1_000;
const PROBE_EVERY_MS = 100;

/** A socket that must end, and when it did. */
type Doomed = { port: number; socket: LiveSocket; ended: Promise<number> };

/** Takes the access of devices, sessions and visitors away, and measures how soon their sockets notice. */
export function watchRevocation(scene: Scene, desk: Desk): Watcher {
  const removable = [...desk.chats];
  const [blockable] = desk.chats;
  if (blockable === undefined) throw new Error('there is no conversation to block');
  const kinds = [
    () => signOut(scene, desk),
    () => blockVisitor(scene, desk, blockable),
    async () => {
      const chat = removable.pop();
      if (chat !== undefined) await removeDevice(scene, desk, chat);
    },
  ];
  let next = 0;
  return scene.repeat(PAUSE_MS, async () => {
    await kinds[next % kinds.length]?.();
    next += 1;
  });
}

async function signOut(scene: Scene, desk: Desk): Promise<void> {
  const { signInPort, origin } = scene.stage;
  const browser = new Browser(origin, signInPort);
  try {
    await signInAt(desk.alias, browser);
  } catch {
    // The gateway is down. The next round tries again.
    return;
  }
  const doomed = await openAll(scene, browser.token);
  const target = scene.staffId(desk.alias);
  const call = { path: '/auth/staff/sign-out', body: {} };
  const at = await scene.act({ action: 'staff.signOut', target }, browser, call);
  await watchEnds(scene, desk, { what: 'session signed out', at, doomed });
}

async function removeDevice(scene: Scene, desk: Desk, chat: Chat): Promise<void> {
  const path = `/conversations/${chat.id}/devices`;
  const { devices } = await scene.call(desk.handler, { path, method: 'GET' });
  const second = (devices as { id: string; first: boolean }[]).find(({ first }) => !first);
  const doomed = await openAll(scene, chat.second.token, chat.id);
  const call = { path: `${path}/${second?.id}`, method: 'DELETE' };
  const at = await scene.act({ action: 'device.remove', target: chat.id }, desk.handler, call);
  await watchEnds(scene, desk, { what: 'device removed', at, doomed });
}

/** A blocked visitor keeps the socket, and learns that the conversation accepts nothing. */
async function blockVisitor(scene: Scene, desk: Desk, chat: Chat): Promise<void> {
  const path = `/conversations/${chat.id}/status`;
  const set = (action: string, body: object): Promise<number> =>
    scene.act({ action, target: chat.id }, desk.handler, { path, body, method: 'PUT' });
  const isTold = (frame: Down): boolean =>
    frame.type === 'conversation' && frame.conversation.id === chat.id && !frame.conversation.canSend;
  const doomed = await openAll(scene, chat.first.token, chat.id, isTold);
  const at = await set('conversation.block', { status: 'blocked', from: 'open' });
  await watchEnds(scene, desk, { what: 'visitor blocked', at, doomed });
  await set('conversation.open', { status: 'open', from: 'blocked' });
}

/** One socket at every gateway that answers. `isEnd`: a frame that counts as the end. */
async function openAll(
  { stage: { gatewayPorts, origin } }: Scene,
  token: string,
  conversation?: string,
  isEnd: (frame: Down) => boolean = () => false,
): Promise<Doomed[]> {
  const opened = await Promise.all(
    gatewayPorts.map(async (port) => {
      const ended = Promise.withResolvers<number>();
      const end = (): void => ended.resolve(Date.now());
      const socket = await openSocket({
        port,
        origin,
        token,
        ...(conversation !== undefined && { conversations: [conversation] }),
        received: (frame) => isEnd(frame) && end(),
        closed: end,
      });
      return socket && { port, socket, ended: ended.promise };
    }),
  );
  return opened.filter((each) => each !== undefined);
}

async function watchEnds(
  scene: Scene,
  desk: Desk,
  { what, at, doomed }: { what: string; at: number; doomed: Doomed[] },
): Promise<void> {
  await Promise.all(
    doomed.map(async ({ port, socket, ended }) => {
      let done = false;
      const end = ended.then((time) => {
        done = true;
        return time;
      });
      const blindMs = await probe(scene, desk, port, () => done);
      const tookMs = done ? Math.max(0, (await end) - at) : null;
      scene.history.write({ type: 'revoked', what, at, tookMs, blindMs });
      socket.close();
    }),
  );
}

/** How long the gateway could not read the database, until the socket ended or had enough time. */
async function probe(scene: Scene, desk: Desk, port: number, isDone: () => boolean): Promise<number> {
  let blindMs = 0;
  let sightedMs = 0;
  while (!isDone() && sightedMs < scene.limits.revocationMs + GIVE_UP_AFTER_MS) {
    const began = performance.now();
    const sees = await desk.handler
      .call('/queue?limit=1', undefined, 'GET', { port, signal: AbortSignal.timeout(BLIND_MS) })
      .then(
        () => true,
        () => false,
      );
    await scene.sleep(PROBE_EVERY_MS);
    const tookMs = performance.now() - began;
    // Longer, if this process could not run.
    if (sees && tookMs < BLIND_MS + 2 * PROBE_EVERY_MS) sightedMs += tookMs;
    else blindMs += tookMs;
  }
  return Math.round(blindMs);
}
