import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Down } from '@settee/protocol/frames/down';
import type { Conversation, QueueRow } from '@settee/protocol/model/conversation';
import type { Message } from '@settee/protocol/model/message';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveClient } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs, watchQueue } from '../support/people.ts';

/**
 * A client that joined before an action and followed the events must have the same state as one that joins after it.
 * Each action is followed at the gateway that performs it and at another one.
 */

const [DESK, OTHER_DESK] = ['snapshot-desk', 'snapshot-other'];

let server: TestServer;
let elsewhere: string;
let handler: Person;
/** At another desk, whose queue is followed too. */
let neighbour: Person;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
  elsewhere = (await server.startAnother()).url;
  handler = await createStaff(server, DESK);
  neighbour = await createStaff(server, OTHER_DESK);
});
afterAll(() => server.close());

type Scene = {
  visitor: Person;
  visitorSocket: LiveClient;
  handlerSocket: LiveClient;
  conversationId: string;
  path: string;
};

const actions: Record<string, (scene: Scene) => Promise<unknown>> = {
  'a visitor sends': ({ visitorSocket, conversationId }) => sendOver(visitorSocket, conversationId, 'hello'),
  'a handler sends': ({ handlerSocket, conversationId }) =>
    sendOver(handlerSocket, conversationId, 'good day'),
  'a message is repeated': async ({ visitorSocket, conversationId }) => {
    const id = randomUUID();
    await sendOver(visitorSocket, conversationId, 'again', id);
    await sendOver(visitorSocket, conversationId, 'again', id);
  },
  'the visitor sees': ({ visitorSocket, conversationId }) =>
    send(visitorSocket, { type: 'seen', conversationId, seq: 2 }),
  'the owner sees': ({ handlerSocket, conversationId }) =>
    send(handlerSocket, { type: 'seen', conversationId, seq: 3 }),
  'the visitor takes a name': ({ visitor, path }) =>
    visitor.call('PUT', `${path}/visitorName`, { visitorName: 'Jonas' }),
  'the handler closes': ({ path }) => handler.call('PUT', `${path}/status`, { status: 'closed' }),
  'the handler blocks': ({ path }) => handler.call('PUT', `${path}/status`, { status: 'blocked' }),
  'the handler reopens': async ({ path }) => {
    await handler.call('PUT', `${path}/status`, { status: 'closed' });
    await handler.call('PUT', `${path}/status`, { status: 'open' });
  },
  'a message reopens': async ({ path, visitorSocket, conversationId }) => {
    await handler.call('PUT', `${path}/status`, { status: 'closed' });
    await sendOver(visitorSocket, conversationId, 'one more thing');
  },
  'a hand-over': ({ path }) =>
    handler.call('POST', `${path}/transfer`, { alias: OTHER_DESK, note: 'Yours now' }),
  'a message after a hand-over': async ({ path, visitorSocket, conversationId }) => {
    await handler.call('POST', `${path}/transfer`, { alias: OTHER_DESK, note: '' });
    await sendOver(visitorSocket, conversationId, 'Who is there?');
  },
};

async function send(socket: LiveClient, frame: Parameters<LiveClient['send']>[0]): Promise<void> {
  socket.send(frame);
}

describe('[MSG-10] snapshot plus events equals a fresh snapshot', () => {
  for (const [name, act] of Object.entries(actions)) {
    test(`after ${name}`, async () => {
      const { visitor, conversationId } = await createChat(server, DESK);
      const { socket: visitorSocket } = await watchAs(visitor, conversationId);
      const { socket: handlerSocket } = await watchAs(handler, conversationId);
      for (const text of ['one', 'two']) await sendOver(visitorSocket, conversationId, text);
      await sendOver(handlerSocket, conversationId, 'three');

      const followers = await Promise.all(
        [visitor, handler].flatMap((person) =>
          [server.url, elsewhere].map((url) => follow(person, conversationId, url)),
        ),
      );
      const desks = await Promise.all(
        [handler, neighbour].flatMap((person) =>
          [server.url, elsewhere].map((url) => followQueue(person, url)),
        ),
      );

      const path = `/conversations/${conversationId}`;
      await act({ visitor, visitorSocket, handlerSocket, conversationId, path });
      for (const follower of followers) {
        await expect
          .poll(async () => {
            const { person } = follower;
            const read = await fresh(person, conversationId);
            return differences(shown(person, visitor, follower.state()), shown(person, visitor, read));
          })
          .toEqual([]);
      }
      for (const desk of desks) {
        await expect
          .poll(async () => differences(desk.rows(), (await desk.person.call('GET', '/queue')).body.rows))
          .toEqual([]);
      }
      for (const { socket } of [...followers, ...desks]) socket.close();
      visitorSocket.close();
      handlerSocket.close();
    });
  }
});

type Seen = { conversation: Record<string, unknown> & { rev: number }; messages: Message[] };
type State = Seen | 'gone';

async function follow(person: Person, conversationId: string, url: string) {
  const { socket, watched } = await watchAs(person, conversationId, url);
  return { person, socket, state: () => socket.received.reduce<State>(apply, start(watched)) };
}

/** Fields that change with a message are derived from the messages; the rest comes complete. */
function start({ conversation, messages }: { conversation: Conversation; messages: Message[] }): Seen {
  const { head: _, lastMessageAt: __, ...rest } = conversation;
  return { conversation: 'unread' in rest ? { ...rest, unread: 0 } : rest, messages };
}

/** Only the revision may be outdated at a visitor: a change that affects nothing else is not sent. */
function shown(person: Person, visitor: Person, state: State): unknown {
  if (state === 'gone' || person !== visitor) return state;
  const { rev: _, ...conversation } = state.conversation;
  return { ...state, conversation };
}

function apply(state: State, frame: Down): State {
  if (state === 'gone' || frame.type === 'gone') return 'gone';
  if (frame.type === 'message' && !state.messages.some((known) => known.seq === frame.message.seq)) {
    return { ...state, messages: [...state.messages, frame.message] };
  }
  if (frame.type === 'conversation' && frame.conversation.rev >= state.conversation.rev) {
    return { ...start({ ...frame, messages: [] }), messages: state.messages };
  }
  return state;
}

async function fresh(person: Person, conversationId: string): Promise<State> {
  const socket = await person.live();
  socket.send({ type: 'watch', conversationId });
  const answer = await Promise.any([socket.next('watched'), socket.next('refused')]);
  socket.close();
  return answer.type === 'refused' ? 'gone' : start(answer);
}

async function followQueue(person: Person, url: string) {
  const { socket, rows } = await watchQueue(person, url);
  return {
    person,
    socket,
    rows: () => {
      const known = new Map<string, QueueRow>(rows.map((row) => [row.conversationId, row]));
      for (const frame of socket.received) {
        if (frame.type !== 'queueChange') continue;
        for (const row of frame.rows) known.set(row.conversationId, row);
        for (const id of frame.gone) known.delete(id);
      }
      return [...known.values()].sort((a, b) => b.lastMessageAt - a.lastMessageAt);
    },
  };
}

function differences(followed: unknown, read: unknown): string[] {
  if (isDeepStrictEqual(followed, read)) return [];
  return [`followed ${JSON.stringify(followed)}`, `read     ${JSON.stringify(read)}`];
}
