// A separate process that attacks the gateway, at a limited rate: the gateway is tested, not the processor.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';
import type { SignedIn } from '../../../bench/src/people.ts';
import { backOffDelay } from '../../../web/src/net/backOff.ts';

/** A visitor or handler, with the conversations that they can open. */
export type Person = SignedIn;
export type Order = {
  attack: AttackName;
  port: number;
  origin: string;
  people: Person[];
  /** Sockets, connections or addresses. */
  size: number;
};
/** Sent every 100 ms and at the end. */
export type Progress = {
  open: number;
  mostOpen: number;
  /** Sockets that learned that they cannot write any more. */
  blocked: number;
  /** Frames and calls sent, and how they were answered. */
  sent: number;
  answers: Record<string, number>;
};

const FRAME_BYTES = 16_384;
/** A socket that the gateway does not read is not filled further. */
const BUFFERED_MAX = 4 * FRAME_BYTES;
/** Other addresses than the one of the well-behaved people. */
const ADDRESS = '127.0.0.66';

const progress: Progress = { open: 0, mostOpen: 0, blocked: 0, sent: 0, answers: {} };

function count(answer: string): void {
  progress.answers[answer] = (progress.answers[answer] ?? 0) + 1;
}

/** Not the addresses of the reconnect storm, which have used up their upgrades. */
const PERSONS_FROM = 5_000;

function addressOf(at: number): string {
  return `127.${1 + (at >> 14)}.${(at >> 7) & 127}.${1 + (at & 127)}`;
}

/** Few people per address, so that the limits of addresses do not end an attack that tests another limit. */
function addressOfPerson(at: number): string {
  return addressOf(PERSONS_FROM + Math.floor(at / 5));
}

function dial({ port, origin }: Order, localAddress = ADDRESS): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, {
    origin,
    localAddress,
    perMessageDeflate: false,
  });
  let opened = false;
  socket.on('open', () => {
    opened = true;
    progress.open += 1;
    progress.mostOpen = Math.max(progress.mostOpen, progress.open);
  });
  socket.on('close', (code, reason) => {
    if (opened) progress.open -= 1;
    if (opened) count(`closed ${code} ${reason.toString()}`);
  });
  socket.on('unexpected-response', (_, response) => {
    count(`upgrade ${response.statusCode}`);
    socket.terminate();
  });
  socket.on('error', () => {});
  return socket;
}

function sendFrame(socket: WebSocket, frame: Up | string): void {
  if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > BUFFERED_MAX) return;
  progress.sent += 1;
  socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
}

/** Connects, says hello and watches the conversations. Reports what it receives. */
function join(order: Order, { token, conversationIds }: Person, address?: string): WebSocket {
  const socket = dial(order, address);
  let blocked = false;
  socket.on('open', () => {
    sendFrame(socket, { type: 'hello', version: PROTOCOL_VERSION, token });
    for (const conversationId of conversationIds) sendFrame(socket, { type: 'watch', conversationId });
  });
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Down;
    if (frame.type === 'refused') count(`refused ${frame.code}`);
    if (frame.type === 'pong') count('pong');
    const isOver =
      (frame.type === 'conversation' && 'canSend' in frame.conversation && !frame.conversation.canSend) ||
      (frame.type === 'refused' && frame.code === 'conversation_closed');
    if (!isOver || blocked) return;
    blocked = true;
    progress.blocked += 1;
  });
  return socket;
}

/** Acts so many times per second, in small portions. */
function pace(perSecond: number, act: (at: number) => void): void {
  let at = 0;
  let due = 0;
  setInterval(() => {
    for (due += perSecond / 50; due >= 1; due -= 1) act(at++);
  }, 20);
}

function each<T>(items: readonly T[], at: number): T {
  return items[at % items.length] as T;
}

function call(
  { port, origin }: Order,
  method: string,
  path: string,
  { token, body, address = ADDRESS }: { token?: string; body?: object; address?: string },
): void {
  progress.sent += 1;
  const headers = {
    origin,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const asked = request(
    { host: '127.0.0.1', port, method, path, headers, localAddress: address },
    (answer) => {
      count(`${answer.statusCode}`);
      answer.resume();
    },
  );
  asked.on('error', () => count('no answer'));
  asked.end(body === undefined ? undefined : JSON.stringify(body));
}

const attacks = {
  'send flood with new ids'(order: Order) {
    const sockets = order.people.flatMap((person, number) => {
      const [conversationId = ''] = person.conversationIds;
      return Array.from({ length: order.size / order.people.length }, () => ({
        socket: join(order, person, addressOfPerson(number)),
        conversationId,
      }));
    });
    pace(20_000, (at) => {
      const { socket, conversationId } = each(sockets, at);
      sendFrame(socket, { type: 'send', conversationId, id: randomUUID(), text: 'flood' });
    });
  },

  'padded frames'(order: Order) {
    const sockets = order.people.map((person) => join(order, { ...person, conversationIds: [] }));
    pace(4_000, (at) => {
      const socket = each(sockets, at);
      const frame = JSON.stringify({ type: 'watch', conversationId: randomUUID() });
      sendFrame(socket, frame.padEnd(FRAME_BYTES));
    });
  },

  'slow readers'(order: Order) {
    const sockets = order.people.flatMap((person, number) => {
      const [conversationId = ''] = person.conversationIds;
      return Array.from({ length: order.size / order.people.length }, () => {
        const socket = join(order, person, addressOfPerson(number));
        socket.once('message', () => socket.pause());
        return { socket, conversationId };
      });
    });
    pace(500, (at) => {
      const { socket, conversationId } = each(sockets, at);
      sendFrame(socket, { type: 'range', conversationId, after: 0 });
    });
  },

  'half-open sockets'(order: Order) {
    pace(200, (at) => {
      if (at >= order.size) return;
      if (at % 2 === 0) dial(order, addressOf(at % 20));
      else {
        const socket = connect({ host: '127.0.0.1', port: order.port, localAddress: addressOf(at % 20) });
        socket.on('error', () => {});
        socket.write('GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
      }
    });
  },

  'sockets from one address'(order: Order) {
    pace(500, (at) => {
      if (at < order.size) join(order, { ...each(order.people, at), conversationIds: [] });
    });
  },

  'hello flood'(order: Order) {
    pace(200, (at) => {
      const socket = dial(order, addressOf(at % order.size));
      socket.on('open', () =>
        sendFrame(socket, { type: 'hello', version: PROTOCOL_VERSION, token: `nobody.${randomUUID()}` }),
      );
    });
  },

  'ping flood'(order: Order) {
    const sockets = order.people.map((person) => join(order, { ...person, conversationIds: [] }));
    pace(20_000, (at) => sendFrame(each(sockets, at), { type: 'ping' }));
  },

  'guessing of passwords and codes'(order: Order) {
    pace(20, (at) => {
      const address = addressOf(at % order.size);
      if (at % 2 === 0) {
        const body = { email: `nobody.${at % 7}@settee.example`, password: `guess number ${at}` };
        call(order, 'POST', '/auth/staff/sign-in', { body, address });
      } else {
        const { token } = each(order.people, at);
        const body = { token: `a0${'0'.repeat(30)}`, code: '000000', csrf: String(at) };
        call(order, 'POST', '/attachInvite', { token, body, address });
      }
    });
  },

  'renames and new codes'(order: Order) {
    pace(200, (at) => {
      const { token, conversationIds } = each(order.people, at);
      const path = `/conversations/${conversationIds[0]}`;
      if (at % 2 === 0) call(order, 'POST', `${path}/continueCode`, { token });
      else call(order, 'PUT', `${path}/visitorName`, { token, body: { visitorName: `Name ${at}` } });
    });
  },

  'upload flood'(order: Order) {
    pace(200, (at) => {
      const { token, conversationIds } = each(order.people, at);
      const body = { mediaId: randomUUID(), type: 'image/png', bytes: 1_000, fileName: 'a.png' };
      call(order, 'POST', `/conversations/${conversationIds[0]}/media`, { token, body });
    });
  },

  'search flood'(order: Order) {
    pace(100, (at) => {
      const { token } = each(order.people, at);
      call(order, 'GET', `/search?q=${encodeURIComponent(`word ${at}`)}`, { token });
    });
  },

  /** All come at once and wait like the product's pages when they are refused. */
  'reconnect storm'(order: Order) {
    const enter = (at: number, failures: number): void => {
      const socket = join(order, each(order.people, at), addressOf(at % Math.ceil(order.size / 40)));
      socket.on('close', () => {
        void sleep(backOffDelay(failures, Math.random)).then(() => enter(at, failures + 1));
      });
    };
    for (let at = 0; at < order.size; at += 1) enter(at, 1);
  },
} satisfies Record<string, (order: Order) => void>;

export type AttackName = keyof typeof attacks;

if (process.send !== undefined) {
  setPriority(10);
  process.once('message', (order: Order) => {
    attacks[order.attack](order);
    setInterval(() => process.send?.(progress), 100);
  });
  process.on('disconnect', () => process.exit());
}
