import type { Down } from '@settee/protocol/frames/down';
import { isFull } from '../../../tools/fullSize.ts';
import type { Chat, Desk } from '../world.ts';
import { openSocket } from './liveSocket.ts';
import type { Scene, Watcher } from './scene.ts';

const RECONNECT_MS = 200;
const HERE_MS = 4_000;
/** Longer than the limit, so that a wrong presence has time to break it. */
const LONG_AWAY_MS = 75_000;

/**
 * Records what a visitor at each gateway is told, while the handlers of the load set themselves away together and
 * return. Their consoles stay connected.
 */
export function watchPresence(scene: Scene, handlers: Desk[], chats: Chat[]): Watcher {
  const { history, random, stage } = scene;
  const note = (there: boolean | null): void => history.write({ type: 'handlers', at: Date.now(), there });
  const setAway = async (away: boolean): Promise<void> => {
    note(null);
    await Promise.all(
      handlers.map(({ alias, handler }) =>
        scene.act(
          { action: away ? 'availability.away' : 'availability.here', target: scene.staffId(alias) },
          handler,
          { path: '/handlers/me/availability', body: { away }, method: 'PUT' },
          random.whole(1, 2),
        ),
      ),
    );
    note(!away);
  };
  note(true);
  const visitors = stage.gatewayPorts.map((port, number) => {
    const { firstToken = '' } = chats[number % chats.length] ?? {};
    return followVisitor(scene, `visitor ${number}`, port, firstToken);
  });
  let times = 0;
  const turns = scene.repeat(HERE_MS, async () => {
    await setAway(true);
    await scene.sleep(isFull && times % 2 === 1 ? LONG_AWAY_MS : random.between(1_000, 5_000));
    await setAway(false);
    times += 1;
  });
  return {
    async stop() {
      await turns.stop();
      await Promise.all(visitors.map((visitor) => visitor.stop()));
    },
  };
}

/** A visitor who reconnects to the same gateway. */
function followVisitor(scene: Scene, visitor: string, port: number, token: string): Watcher {
  const tell = (online: boolean | null): void =>
    scene.history.write({ type: 'told', visitor, at: Date.now(), online });
  let close = (): void => {};
  let stopping = false;
  const received = (frame: Down): void => {
    if (frame.type === 'welcome' || frame.type === 'presence') tell(frame.online);
  };
  const following = scene.repeat(RECONNECT_MS, async () => {
    const closed = Promise.withResolvers<void>();
    const socket = await openSocket({
      port,
      origin: scene.stage.origin,
      token,
      received,
      closed: closed.resolve,
    });
    if (socket === undefined) return;
    close = socket.close;
    if (stopping) socket.close();
    await closed.promise;
    tell(null);
  });
  return {
    async stop() {
      stopping = true;
      close();
      await following.stop();
    },
  };
}
