import { still } from '../../../server/test/images/samples.ts';
import { openMedia, systemClock, systemRandom } from '../../../server/testing/installation.ts';
import { readConfig } from '../../../server/testing/rules.ts';
import type { MediaRow } from '../checks/history.ts';
import { query } from '../topology/installation.ts';
import { until } from '../world/time.ts';
import { type Browser, type Chat, type Desk, Refused } from '../world/world.ts';
import type { Scene, Watcher } from './scene.ts';

const PAUSE_MS = 1_500;
const AGAIN_MS = 300;
/** Several, because one whose worker was killed waits for two minutes. */
const AT_ONCE = 4;
/** Longer than a gateway waits for an image, on a machine that stands still for a time. */
const GIVE_UP_MS = 60_000;
const SETTLED_WITHIN_MS = 120_000;
const TYPE = 'image/png';

type Image = { chat: Chat; mediaId: string };

/** Sends images, gives some up on the way, and compares the store with the table at the end. */
export async function watchMedia(scene: Scene, desk: Desk, patienceMs: number): Promise<Watcher> {
  const bytes = await still('png');
  const sent: Image[] = [];
  let stopping = false;
  let sending = 0;
  const send = async (): Promise<void> => {
    const chat = scene.random.pick(desk.chats);
    const browser = scene.random.chance(0.5) ? chat.first : desk.handler;
    const mediaId = scene.random.uuid();
    const state = await sendImage(scene, browser, { chat, mediaId, bytes }, () => stopping);
    if (state === 'sent') sent.push({ chat, mediaId });
    if (state === 'refused') scene.history.write({ type: 'image', media: mediaId, readable: false });
  };
  const starting = scene.repeat(PAUSE_MS, async () => {
    if (sending >= AT_ONCE) return;
    sending += 1;
    send()
      .catch((error: unknown) => {
        // A conversation has a limit per day.
        if (error instanceof Refused && error.code !== 'image_limit')
          scene.history.write({ type: 'image', media: error.message, readable: false });
      })
      .finally(() => {
        sending -= 1;
      });
  });
  return {
    async stop() {
      await starting.stop();
      await until(() => sending === 0, patienceMs);
      stopping = true;
      await until(() => sending === 0, GIVE_UP_MS);
      await readStore(scene, desk.chats);
      for (const image of sent) {
        const readable = await Promise.all(
          [image.chat.first, desk.handler].map((each) => read(scene, each, image)),
        );
        scene.history.write({ type: 'image', media: image.mediaId, readable: readable.every(Boolean) });
      }
    },
  };
}

/** Signed addresses depend on the clock of the gateway. */
function onTime({ stage, random }: Scene): number {
  return random.pick(stage.gatewayPorts.filter((port) => port !== stage.signInPort));
}

/** Every step until it succeeds. Some senders give up. A good image must not be refused. */
async function sendImage(
  scene: Scene,
  browser: Browser,
  { chat, mediaId, bytes }: Image & { bytes: Buffer },
  givesUp: () => boolean,
): Promise<'sent' | 'refused' | 'given up'> {
  const { random } = scene;
  const base = `/conversations/${chat.id}/media`;
  const steps = random.chance(0.3) ? random.whole(1, 3) : 4;
  const begin = { mediaId, type: TYPE, bytes: bytes.length, fileName: 'image.png' };
  for (let stored = false; !stored; ) {
    const port = onTime(scene);
    const { uploadUrl } = await scene.call(browser, { path: base, body: begin, port });
    if (steps === 1) return 'given up';
    stored = uploadUrl === null || (await put(scene, uploadUrl as string, port, bytes));
    if (givesUp()) return 'given up';
    if (!stored) await scene.sleep(AGAIN_MS);
  }
  if (steps === 2) return 'given up';
  for (let state = ''; state !== 'ready'; ) {
    const answer = await scene.call(browser, { path: `${base}/${mediaId}/uploaded`, port: onTime(scene) });
    state = String(answer.state);
    if (state === 'refused') return 'refused';
    if (givesUp()) return 'given up';
    if (state !== 'ready') await scene.sleep(AGAIN_MS);
  }
  if (steps === 3) {
    await scene.call(browser, { path: `${base}/${mediaId}`, method: 'DELETE', port: onTime(scene) });
    return 'given up';
  }
  const body = { id: random.uuid() };
  await scene.call(browser, { path: `${base}/${mediaId}/message`, body, port: onTime(scene) });
  return 'sent';
}

function put(scene: Scene, url: string, port: number, bytes: Buffer): Promise<boolean> {
  const request = { method: 'PUT', headers: { 'content-type': TYPE }, body: new Uint8Array(bytes) };
  return fetch(reachable(scene, url, port), request).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The public address of the installation exists only here. */
function reachable({ stage: { origin } }: Scene, url: string, port: number): string {
  return url.startsWith(`${origin}/`) ? `http://127.0.0.1:${port}${url.slice(origin.length)}` : url;
}

async function read(scene: Scene, browser: Browser, { chat, mediaId }: Image): Promise<boolean> {
  const port = onTime(scene);
  const path = `/conversations/${chat.id}/media/${mediaId}`;
  const { url } = await scene.call(browser, { path, method: 'GET', port });
  const answer = await fetch(reachable(scene, String(url), port));
  return answer.ok && (await answer.bytes()).length > 0 && answer.headers.get('content-type') === TYPE;
}

/** Jobs still remove what was cancelled, so it reads until both agree, or the time is over. */
async function readStore({ stage, history, sleep }: Scene, chats: Chat[]): Promise<void> {
  const config = readConfig(stage.env);
  const store = await openMedia(config, { clock: systemClock, random: systemRandom });
  const ids = chats.map(({ id }) => id);
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const objects: string[] = [];
    for (const id of ids)
      for (const folder of ['uploads', 'conversations'])
        for await (const path of store.listAll(`${folder}/${id}`)) objects.push(path);
    const rows = (await query(
      stage.databaseUrl,
      'select id, state, staged_path, path, message_id is not null from media where conversation_id = any ($1)',
      [ids],
    )) as MediaRow[];
    const known = new Set(rows.flatMap(([, , staged, path]) => [staged, path]));
    const stored = new Set(objects);
    const agree =
      objects.every((path) => known.has(path)) &&
      rows.every(([, state, , path]) => state !== 'ready' || stored.has(path));
    if (agree || performance.now() > deadline) {
      history.write({ type: 'store', objects, rows });
      return;
    }
    await sleep(AGAIN_MS);
  }
}
