import type { HistoryWriter } from './history.ts';
import { openPage, PageDevice } from './page.ts';
import { PipeliningClient } from './pipeliningClient.ts';
import type { Random } from './random.ts';
import type { Device, Recorder } from './recorder.ts';
import { until } from './until.ts';
import type { Desk } from './world.ts';

const OPENED_WITHIN_MS = 60_000;

type Options = {
  /** The port that leads to the gateways. */
  port: number;
  origin: string;
  gatewayPorts: number[];
  recorder: Recorder;
  history: HistoryWriter;
  /** The share of messages that are sent again when not needed. */
  retries: number;
  /** The speed of the clock of the product's pages. */
  speed: number;
};

/**
 * Every conversation has the product's page on the visitor's first device, the pipelining client on the second, and a
 * console, which is the product's at every second desk.
 */
export async function openDevices(desks: Desk[], random: Random, options: Options): Promise<Device[]> {
  const { port, origin, gatewayPorts, recorder, history, retries, speed } = options;
  const url = `ws://127.0.0.1:${port}/live`;
  const common = { url, origin, gatewayPorts, recorder, retries, speed };
  const devices = desks.flatMap((desk, number) => {
    const conversations = desk.chats.map(({ id }) => id);
    const name = `console ${number}`;
    const owner = { ...common, sender: 'owner' as const, token: desk.token, random: random.fork(name) };
    const consoles =
      number % 2 === 0
        ? openPage({ ...owner, name, conversations })
        : conversations.map(
            (conversation) =>
              new PipeliningClient({
                ...owner,
                name,
                conversation,
                random: random.fork(`${name} ${conversation}`),
              }),
          );
    const visitors = desk.chats.flatMap(({ id, firstToken, secondToken }, chat) => {
      const first = `page ${number}.${chat}`;
      const second = `second device ${number}.${chat}`;
      const visitor = { ...common, sender: 'visitor' as const };
      return [
        ...openPage({
          ...visitor,
          name: first,
          conversations: [id],
          token: firstToken,
          random: random.fork(first),
        }),
        new PipeliningClient({
          ...visitor,
          name: second,
          conversation: id,
          token: secondToken,
          random: random.fork(second),
        }),
      ];
    });
    return [...consoles, ...visitors];
  });
  for (const { conversation, name } of devices) history.write({ type: 'device', conversation, device: name });
  // A page that opens a long conversation shows only its end, and the checks compare whole conversations.
  const pages = devices.filter((device) => device instanceof PageDevice);
  if (await until(() => pages.every((page) => page.hasLoaded()), OPENED_WITHIN_MS)) return devices;
  for (const device of devices) device.stop();
  throw new Error(`not all of ${pages.length} pages opened`);
}

/** Returns the devices that have not sent and received everything. */
export async function waitForRest(
  devices: readonly Device[],
  recorder: Recorder,
  withinMs: number,
): Promise<string[]> {
  const unfinished = (): Device[] =>
    devices.filter((device) => !device.isIdle() || device.lastSeq() < recorder.head(device.conversation));
  await until(() => unfinished().length === 0, withinMs);
  return unfinished().map((device) => `${device.describe()} of ${recorder.head(device.conversation)}`);
}
