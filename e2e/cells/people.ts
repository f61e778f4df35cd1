import { type LineWatch, openPage, type PageDevice } from '../proof/page.ts';
import type { Random } from '../proof/random.ts';
import type { Recorder } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { createWorld, type Desk } from '../proof/world.ts';
import { type Cell, ORIGIN, ROOT, type Stage } from './stage.ts';

const OPENED_WITHIN_MS = 60_000;

/** The desks of a cell, and the pages of their people. All of them know only the router's address. */
export type People = { cell: Cell; desks: Desk[]; devices: PageDevice[]; lines: Lines };

/** Counts what happens to the pages of a cell. */
export class Lines implements LineWatch {
  readonly there = new Set<string>();
  readonly failures: string[] = [];
  lostCount = 0;

  lost(page: string): void {
    this.lostCount += 1;
    this.there.delete(page);
  }

  back(page: string): void {
    this.there.add(page);
  }

  received(): void {}

  failed(page: string, what: string): void {
    this.failures.push(`${page}: ${what}`);
  }
}

export async function bringPeople(
  { router }: Stage,
  cell: Cell,
  parts: {
    desks: number;
    chatsPerDesk: number;
    random: Random;
    recorder: Recorder;
    speed: number;
    prefix?: string;
  },
): Promise<People> {
  const { desks: count, chatsPerDesk, random, recorder, speed, prefix = `desk-${cell.tag}` } = parts;
  const where = { build: ROOT, env: cell.env, port: router.port, prefix };
  const desks = await createWorld({ ...where, desks: count, chatsPerDesk });
  const lines = new Lines();
  const url = `ws://127.0.0.1:${router.port}/live`;
  const common = {
    url,
    origin: ORIGIN,
    recorder,
    watch: lines,
    speed,
    retries: 0,
    gatewayPorts: [],
  };
  const open = (
    page: Pick<Parameters<typeof openPage>[0], 'name' | 'sender' | 'token' | 'browser' | 'conversations'>,
  ) => openPage({ ...common, ...page, random: random.fork(page.name) });
  const devices = desks.flatMap(({ alias, token, handler, chats }) => [
    ...open({
      name: `console of ${alias}`,
      sender: 'owner',
      token,
      browser: handler,
      conversations: chats.map(({ id }) => id),
    }),
    ...chats.flatMap(({ id, first, second }, chat) =>
      [first, second].flatMap((browser, device) =>
        open({
          name: `device ${device} of chat ${chat} of ${alias}`,
          sender: 'visitor',
          token: browser.token,
          browser,
          conversations: [id],
        }),
      ),
    ),
  ]);
  // A page that opens a long conversation shows only its end, and the checks compare whole conversations.
  if (await until(() => devices.every((device) => device.hasLoaded()), OPENED_WITHIN_MS))
    return { cell, desks, devices, lines };
  for (const device of devices) device.stop();
  throw new Error(`not all pages of ${cell.tag} opened`);
}
