import type { PushService } from '../../../server/test/push/pushService.ts';
import { openSocket } from '../world/liveSocket.ts';
import type { Browser, Chat, Desk } from '../world/world.ts';
import type { Scene, Watcher } from './scene.ts';

const PAUSE_MS = 3_000;
/** A conversation rests this long, so that a notification is not delayed by the one before. */
const REST_MS = 45_000;
const SEEN_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

type Payload = { conversationId: string; seq: number };
type Wanted = { to: string; conversation: string; seq: number };

/** Nobody of this desk is connected, so every message must be notified, unless it is seen at once. */
export async function watchPushes(
  scene: Scene,
  desk: Desk,
  { push, patienceMs }: { push: PushService; patienceMs: number },
): Promise<Watcher> {
  const subscribe = async (name: string, browser: Browser): Promise<string> => {
    await scene.call(browser, { path: '/push/subscription', body: push.subscription(name), method: 'PUT' });
    return name;
  };
  const handler = await subscribe(`handler of ${desk.alias}`, desk.handler);
  const rested = new Map<Chat, number>(desk.chats.map((chat) => [chat, 0]));
  const names = new Map<Chat, string>();
  for (const chat of desk.chats) names.set(chat, await subscribe(`visitor of ${chat.id}`, chat.first));
  const wanted: Wanted[] = [];
  const arrived = ({ to, conversation, seq }: Wanted): boolean =>
    push.received(to).some(({ payload }) => {
      const { conversationId, seq: told } = payload as Payload;
      return conversationId === conversation && told >= seq;
    });

  const write = async (chat: Chat, fromHandler: boolean, sees: boolean): Promise<Wanted> => {
    const began = Date.now();
    const path = `/conversations/${chat.id}/messages`;
    const body = { id: scene.random.uuid(), text: 'Are you there?' };
    const answer = await scene.call(fromHandler ? desk.handler : chat.first, { path, body });
    const seq = Number(answer.seq);
    const at = Date.now();
    const seenAt = sees ? await see(scene, chat, seq) : null;
    const own = { to: fromHandler ? (names.get(chat) ?? '') : handler, conversation: chat.id, seq };
    // Without a confirmation it may be seen or not, so that both a notification and none are right.
    if (!sees || seenAt !== null) scene.history.write({ type: 'pushWanted', ...own, began, at, seenAt });
    if (!sees) wanted.push(own);
    return own;
  };

  let episodes = 0;
  const writing = scene.repeat(PAUSE_MS, async () => {
    const chat = desk.chats.find((each) => (rested.get(each) ?? 0) <= Date.now());
    if (chat === undefined) return;
    episodes += 1;
    const fromHandler = episodes % 3 !== 0;
    rested.set(chat, Date.now() + REST_MS);
    const first = await write(chat, fromHandler, fromHandler && episodes % 4 === 0);
    // Some get another message as soon as the first was notified. It must wait.
    if (episodes % 8 === 1) {
      void (async () => {
        rested.set(chat, Number.POSITIVE_INFINITY);
        while (!arrived(first)) await scene.sleep(LOOK_EVERY_MS);
        const second = await write(chat, fromHandler, false);
        while (!arrived(second)) await scene.sleep(LOOK_EVERY_MS);
        rested.set(chat, Date.now() + REST_MS);
      })().catch(() => {});
    }
  });
  return {
    async stop() {
      await writing.stop();
      const deadline = Date.now() + patienceMs;
      while (!wanted.every(arrived) && Date.now() < deadline) await scene.sleep(LOOK_EVERY_MS);
      for (const to of [handler, ...names.values()])
        for (const { payload, at } of push.received(to)) {
          const { conversationId: conversation, seq } = payload as Payload;
          scene.history.write({ type: 'pushed', to, conversation, seq, at });
        }
    },
  };
}

/** The visitor opens the page for a moment. Returns when the mark was confirmed; null if it was not, in time. */
async function see({ stage }: Scene, chat: Chat, seq: number): Promise<number | null> {
  const confirmed = Promise.withResolvers<number | null>();
  const socket = await openSocket({
    port: stage.signInPort,
    origin: stage.origin,
    token: chat.first.token,
    conversations: [chat.id],
    received(frame) {
      if (frame.type === 'conversation' && frame.conversation.visitorSeen >= seq)
        confirmed.resolve(Date.now());
    },
  });
  const timer = setTimeout(() => confirmed.resolve(null), SEEN_WITHIN_MS);
  socket?.send({ type: 'seen', conversationId: chat.id, seq });
  const at = await confirmed.promise;
  clearTimeout(timer);
  socket?.close();
  return at;
}
