import type { Random } from '../random.ts';
import { Connections } from './connections.ts';
import { openPage, PageDevice } from './page.ts';
import { PipeliningClient } from './pipeliningClient.ts';
import type { Source } from './reading.ts';
import type { Device, Recorder } from './recorder.ts';
import { until } from './time.ts';
import type { Browser, Desk } from './world.ts';

/** Desks with the devices of their people. */
export type Crowd = { desks: Desk[]; devices: Device[]; connections: Connections; from: Source };

type Options = {
  /** The port that leads to the gateways. */
  port: number;
  origin: string;
  gatewayPorts: number[];
  /** From where everything is read at the end. */
  from: Source;
  recorder: Recorder;
  random: Random;
  /** The share of messages that are sent again when not needed. */
  retries: number;
  /** The speed of the clock of the product's pages. */
  speed: number;
  /** Every visitor's second device and every second console is the pipelining client. */
  pipelining?: boolean;
  /** Pages have the cookies of their browser, and renew their token with them. */
  cookies?: boolean;
};

/** Every conversation has two devices of its visitor, and every desk a console. */
export async function openDevices(desks: Desk[], options: Options): Promise<Crowd> {
  const { port, origin, gatewayPorts, recorder, random, retries, speed, from } = options;
  const connections = new Connections();
  const url = `ws://127.0.0.1:${port}/live`;
  const common = { url, origin, gatewayPorts, recorder, retries, speed, connections };
  const open = (
    who: { name: string; sender: 'owner' | 'visitor'; browser: Browser; conversations: string[] },
    pipelines: boolean,
  ): Device[] => {
    const { name, browser, conversations, ...rest } = who;
    const parts = { ...common, ...rest, name, token: browser.token };
    if (!pipelines)
      return openPage({
        ...parts,
        conversations,
        random: random.fork(name),
        ...(options.cookies && { browser }),
      });
    return conversations.map(
      (conversation) =>
        new PipeliningClient({ ...parts, conversation, random: random.fork(`${name} ${conversation}`) }),
    );
  };
  const { pipelining = false } = options;
  const devices = desks.flatMap(({ alias, handler, chats }, number) => [
    ...open(
      {
        name: `console of ${alias}`,
        sender: 'owner',
        browser: handler,
        conversations: chats.map(({ id }) => id),
      },
      pipelining && number % 2 === 1,
    ),
    ...chats.flatMap(({ id, first, second }, chat) => {
      const visitor = { sender: 'visitor' as const, conversations: [id] };
      return [
        ...open({ ...visitor, name: `page ${chat} of ${alias}`, browser: first }, false),
        ...open({ ...visitor, name: `second device ${chat} of ${alias}`, browser: second }, pipelining),
      ];
    }),
  ]);
  for (const device of devices) recorder.follows(device);
  // A page that opens a long conversation shows only its end, and the checks compare whole conversations.
  const pages = devices.filter((device) => device instanceof PageDevice);
  if (await until(() => pages.every((page) => page.hasLoaded())))
    return { desks, devices, connections, from };
  for (const device of devices) device.stop();
  throw new Error(`not all of ${pages.length} pages opened`);
}
