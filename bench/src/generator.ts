// A separate process: visitors that send at a given rate, and the handlers who read.
import { forEachConcurrently } from '../../server/src/limits/concurrency.ts';
import { openSocket } from './hello.ts';
import type { SignedIn } from './people.ts';
import { currentStep, generate, type Sender } from './step.ts';
import { clientFrame, patch, payloadStart, type Wire } from './wire.ts';

/** Sent to the generator once. */
export type Setup = {
  port: number;
  origin: string;
  visitors: SignedIn[];
  handlers: SignedIn[];
  text: string;
};

/** A message's id: random where the index sorts, then its number, which identifies it. */
const ID = '00000000-0000-4000-8000-000000000000';
const NUMBER_AT = 24;
const NUMBER_DIGITS = 12;
const ID_FIELD = '"id":"';
const SEQ_FIELD = '"seq":';
/** Position of the letter after `{"type":"`, and of the one after `{"type":"message`. */
const TYPE_AT = 9;
const AFTER_MESSAGE = 16;
const QUOTE = '"'.charCodeAt(0);
const ACK = 'a'.charCodeAt(0);
const MESSAGE = 'm'.charCodeAt(0);
const REFUSED = 'r'.charCodeAt(0);

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function numberIn(payload: Buffer): number {
  const at = payload.indexOf(ID_FIELD) + ID_FIELD.length + NUMBER_AT;
  return Number.parseInt(payload.toString('latin1', at, at + NUMBER_DIGITS), 16);
}

function digitsAfter(payload: Buffer, field: string): number {
  let value = 0;
  for (let at = payload.indexOf(field) + field.length; ; at += 1) {
    const digit = (payload[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** A sender can also receive its own message after the ack. This does not count as a receipt. */
function receiveAsVisitor(payload: Buffer): void {
  if (payload[TYPE_AT] === ACK) currentStep()?.onAck(numberIn(payload));
  else if (payload[TYPE_AT] === REFUSED) currentStep()?.onRefusal();
}

function receiveAsHandler(payload: Buffer): void {
  if (payload[TYPE_AT] !== MESSAGE || payload[AFTER_MESSAGE] !== QUOTE) return;
  currentStep()?.onMessage(numberIn(payload), digitsAfter(payload, SEQ_FIELD));
}

function senderOver(wire: Wire, conversationId: string, watched: Buffer, text: string): Sender {
  const payload = JSON.stringify({ type: 'send', conversationId, id: ID, text });
  const template = clientFrame(payload);
  const start = payloadStart(template);
  const idAt = payload.indexOf(ID_FIELD) + ID_FIELD.length;
  return {
    send(number, random) {
      const frame = Buffer.from(template);
      patch(frame, start, idAt, hex(random, 8));
      patch(frame, start, idAt + NUMBER_AT, hex(number, NUMBER_DIGITS));
      wire.write(frame);
    },
    lastSeq: digitsAfter(watched, '"head":'),
    lastNumber: 0,
  };
}

async function connectAll(setup: Setup): Promise<Sender[]> {
  const senders: Sender[] = [];
  const connect = async ({ token, conversationIds }: SignedIn, isVisitor: boolean): Promise<void> => {
    const wire = await openSocket(setup.port, setup.origin, token);
    // As the console does: first its queue, then its open conversations.
    if (!isVisitor) await wire.ask({ type: 'watchQueue' }, 'queue');
    for (const conversationId of conversationIds) {
      const watched = await wire.ask({ type: 'watch', conversationId }, 'watched');
      if (isVisitor) senders.push(senderOver(wire, conversationId, watched, setup.text));
    }
    wire.onFrame = isVisitor ? receiveAsVisitor : receiveAsHandler;
    wire.onClose = (why) => currentStep()?.onClose(why);
  };
  await forEachConcurrently(setup.handlers, 10, (handler) => connect(handler, false));
  await forEachConcurrently(setup.visitors, 10, (visitor) => connect(visitor, true));
  return senders;
}

generate(connectAll);
