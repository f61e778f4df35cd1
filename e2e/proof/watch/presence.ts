import type { Down } from '@settee/protocol/frames/down';
import { openSocket } from '../world/liveSocket.ts';
import { until } from '../world/time.ts';
import type { Chat, Desk } from '../world/world.ts';
import type { Scene, Watcher } from './scene.ts';

const RECONNECT_MS = 200;
const HERE_MS = 4_000;
const LATER_MS = 1_000;
/** Longer than the limit, so that a wrong presence has time to break it. */
const LONG_AWAY_MS = 75_000;

/**
 * Records what a visitor at each gateway is told, while the handlers of the load set themselves away together and
 * return. Their consoles stay connected.
 */
export function watchPresence(scene: Scene, handlers: Desk[], chats: Chat[], patient: boolean): Watcher {
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
    const token = chats[number % chats.length]?.first.token ?? '';
    return followVisitor(scene, `visitor ${number}`, port, token);
  });
  let times = 0;
  const turns = scene.repeat(HERE_MS, async () => {
    await setAway(true);
    await scene.sleep(patient && times % 2 === 1 ? LONG_AWAY_MS : random.between(1_000, 5_000));
    await setAway(false);
    times += 1;
  });
  return {
    async stop() {
      await turns.stop();
      // Every visitor learns it at some time.
      const allTold = (): boolean => visitors.every(({ isTold }) => isTold());
      await until(allTold, scene.limits.presenceMs + LATER_MS);
      await Promise.all(visitors.map((visitor) => visitor.stop()));
    },
  };
}

/** A visitor who reconnects to the same gateway. */
function followVisitor(scene: Scene, visitor: string, port: number, token: string) {
  let told: boolean | null = null;
  const tell = (online: boolean | null): void => {
    told = online;
    scene.history.write({ type: 'told', visitor, at: Date.now(), online });
  };
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
      closed: () => closed.resolve(),
    });
    if (socket === undefined) return;
    close = socket.close;
    if (stopping) socket.close();
    await closed.promise;
    tell(null);
  });
  return {
    isTold: () => told === true,
    async stop() {
      stopping = true;
      close();
      await following.stop();
    },
  };
}
