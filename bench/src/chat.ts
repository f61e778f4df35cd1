// What the load generators share: the sockets of visitors and handlers, and the frame that sends a message.
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { forEachConcurrently } from '../../server/testing/rules.ts';
import type { SignedIn } from './people.ts';
import { clientFrame, patch, payloadStart, Wire } from './wire.ts';

/** The text of every message of the benchmark, of typical length. */
export const TEXT = 'Good evening, did you get the pictures that I sent you on Monday?';

/** Everybody that a generator connects. */
export type Setup = { port: number; origin: string; visitors: SignedIn[]; handlers: SignedIn[] };

const CONNECTED_AT_ONCE = 10;

/** Opens a socket and waits for the welcome. */
export async function openSocket(port: number, origin: string, token: string, from?: string): Promise<Wire> {
  const wire = await Wire.open(port, origin, from);
  await wire.ask({ type: 'hello', version: PROTOCOL_VERSION, token }, 'welcome');
  return wire;
}

/** Messages from a generator: the first says that everybody is connected. A window is the measured time of an order. */
export type FromGenerator<Result> =
  | { kind: 'ready' | 'windowStart' | 'windowEnd' }
  | { kind: 'failed'; why: string }
  | { kind: 'result'; result: Result };

/** The work of a generator's process: it gets a setup, connects, and then runs every order. */
export function generate<Order, Result>(
  on: {
    /** Gets the answer that opens the conversation. */
    visitor(wire: Wire, conversationId: string, watched: Buffer): void;
    handler(wire: Wire): void;
    close(why: string): void;
  },
  run: (order: Order, onWindow: (kind: 'windowStart' | 'windowEnd') => void) => Promise<Result>,
): void {
  const report = (message: FromGenerator<Result>): void => void process.send?.(message);
  const fail = (error: unknown): void => report({ kind: 'failed', why: String(error) });
  const open = async (setup: Setup, { token }: SignedIn): Promise<Wire> => {
    const wire = await openSocket(setup.port, setup.origin, token);
    wire.onClose = on.close;
    return wire;
  };
  const connect = async (setup: Setup): Promise<void> => {
    await forEachConcurrently(setup.handlers, CONNECTED_AT_ONCE, async (handler) => {
      const wire = await open(setup, handler);
      // As the console does: first its queue, then its open conversations.
      await wire.ask({ type: 'watchQueue' }, 'queue');
      for (const conversationId of handler.conversationIds)
        await wire.ask({ type: 'watch', conversationId }, 'watched');
      on.handler(wire);
    });
    await forEachConcurrently(setup.visitors, CONNECTED_AT_ONCE, async (visitor) => {
      const wire = await open(setup, visitor);
      for (const conversationId of visitor.conversationIds)
        on.visitor(wire, conversationId, await wire.ask({ type: 'watch', conversationId }, 'watched'));
    });
  };
  process.once('message', (setup: Setup) => {
    connect(setup).then(() => {
      process.on('message', (order: Order) => {
        run(order, (kind) => report({ kind })).then((result) => report({ kind: 'result', result }), fail);
      });
      report({ kind: 'ready' });
    }, fail);
  });
}

/** A message's id: random where the index sorts, then its number, which identifies it. */
const ID = '00000000-0000-4000-8000-000000000000';
const ID_FIELD = '"id":"';
const NUMBER_AT = 24;
const NUMBER_DIGITS = 12;

/** The number of the message that a frame is about. */
export function numberIn(payload: Buffer): number {
  const at = payload.indexOf(ID_FIELD) + ID_FIELD.length + NUMBER_AT;
  return Number.parseInt(payload.toString('latin1', at, at + NUMBER_DIGITS), 16);
}

/** Makes frames that send a message to a conversation. `random` is the start of the id. */
export function frameMaker(conversationId: string): (number: number, random: number) => Buffer {
  const payload = JSON.stringify({ type: 'send', conversationId, id: ID, text: TEXT });
  const template = clientFrame(payload);
  const start = payloadStart(template);
  const idAt = payload.indexOf(ID_FIELD) + ID_FIELD.length;
  return (number, random) => {
    const frame = Buffer.from(template);
    patch(frame, start, idAt, hex(random, 8));
    patch(frame, start, idAt + NUMBER_AT, hex(number, NUMBER_DIGITS));
    return frame;
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
