import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSize } from '../../../tools/fullSize.ts';
import type { Draft } from '../../src/platform/ports/ports.ts';
import type { LiveClient } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs, watchQueue } from '../support/people.ts';

const RACES = fullSize(20, 500);

const DESK = 'turns';

let server: TestServer;
let elsewhere: string;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startTestServer();
  elsewhere = (await server.startAnother()).url;
  [ana, ben] = [await createStaff(server, DESK), await createStaff(server, DESK)];
});
afterAll(() => server.close());

/** A chat whose visitor has written. */
async function startChat() {
  const { visitor, conversationId } = await createChat(server, DESK);
  const { socket: visitorSocket } = await watchAs(visitor, conversationId);
  await sendOver(visitorSocket, conversationId, 'Is anybody there?');
  return { visitor, conversationId, visitorSocket };
}

function draft(conversationId: string, author: Person | string, more: Partial<Draft> = {}): Draft {
  const fromOwner = typeof author !== 'string';
  return {
    conversationId,
    id: randomUUID(),
    text: 'words',
    fromOwner,
    authorId: fromOwner ? staffIdOf(author) : author,
    alias: fromOwner ? DESK : null,
    after: null,
    mediaId: null,
    ...more,
  };
}

/** Sends a reply. Returns its number, or why it was refused. */
async function reply(
  socket: LiveClient,
  conversationId: string,
  after: number,
  { id = randomUUID(), text = 'an answer' } = {},
): Promise<number | string> {
  socket.send({ type: 'send', conversationId, id, text, after });
  const answer = (frame: Down) => (frame.type === 'ack' || frame.type === 'refused') && frame.id === id;
  await socket.until(() => socket.received.some(answer), 'no answer');
  const [frame] = socket.received.splice(socket.received.findIndex(answer), 1);
  return frame?.type === 'ack' ? frame.seq : frame?.type === 'refused' ? frame.code : '';
}

async function waitingSince(conversationId: string): Promise<number | null> {
  const { rows } = await server.app.db.pool.query(
    'select (extract(epoch from waiting_since) * 1000)::float8 as ms from conversations where id = $1',
    [conversationId],
  );
  return rows[0].ms;
}

describe('[CONSOLE-16] the turn lease', () => {
  test(`${RACES} races of two consoles end in one reply each`, async () => {
    const { conversationId, visitorSocket } = await startChat();
    // Two gateways; one gateway, where both may be in one batch; one person with two windows.
    const pairs: [LiveClient, LiveClient][] = [];
    for (const [one, other, url] of [
      [ana, ben, elsewhere],
      [ana, ben, server.url],
      [ana, ana, server.url],
      [ana, ana, elsewhere],
    ] as [Person, Person, string][]) {
      const first = await watchAs(one, conversationId, server.url);
      const second = await watchAs(other, conversationId, url);
      pairs.push([first.socket, second.socket]);
    }
    let seen = 1;
    for (let round = 0; round < RACES; round += 1) {
      const [first, second] = pairs[round % pairs.length] ?? [];
      if (!first || !second) throw new Error('no pair');
      const results = await Promise.all([
        reply(first, conversationId, seen),
        reply(second, conversationId, seen),
      ]);
      expect(new Set(results)).toEqual(new Set([seen + 1, 'reply_outdated']));
      seen += 1;
    }
    const { rows } = await server.app.db.pool.query(
      'select count(*)::int as stored from messages where conversation_id = $1',
      [conversationId],
    );
    expect(rows).toEqual([{ stored: seen }]);
    await visitorSocket.until(() => seqsOf(visitorSocket).at(-1) === seen, 'not all received');
    expect(seqsOf(visitorSocket)).toEqual(Array.from({ length: seen - 1 }, (_, n) => n + 2));
    for (const socket of [...pairs.flat(), visitorSocket]) socket.close();
  });

  test('replies in one batch see each other', async () => {
    const { conversationId } = await startChat();
    const outcomes = (afters: (number | null)[]) =>
      Promise.all(
        afters.map(async (after, n) => {
          const reply = draft(conversationId, n % 2 === 0 ? ana : ben, { after });
          return (await server.app.appender.append(reply)).outcome;
        }),
      );
    expect(await outcomes([1, 1, 2])).toEqual(['stored', 'outdated', 'stored']);
    expect(await outcomes([null, 3, null])).toEqual(['stored', 'outdated', 'stored']);
  });

  test('a stored reply that is sent again keeps its number, also after a colleague answered', async () => {
    const { conversationId } = await startChat();
    const { socket } = await watchAs(ana, conversationId);
    const { socket: other } = await watchAs(ben, conversationId, elsewhere);
    const id = randomUUID();
    expect(await reply(socket, conversationId, 1, { id })).toBe(2);
    expect(await reply(other, conversationId, 2)).toBe(3);
    expect(await reply(socket, conversationId, 1, { id })).toBe(2);
    expect(await reply(socket, conversationId, 1, { id, text: 'something else' })).toBe('id_reused');
    expect(await reply(socket, conversationId, 2)).toBe('reply_outdated');
    for (const each of [socket, other]) each.close();
  });

  test('a visitor’s messages make no reply outdated, and a visitor’s `after` is ignored', async () => {
    const { visitor, conversationId, visitorSocket } = await startChat();
    const { socket } = await watchAs(ana, conversationId);
    for (const text of ['one', 'two']) await sendOver(visitorSocket, conversationId, text);
    expect(await reply(socket, conversationId, 1)).toBe(4);
    expect(await reply(visitorSocket, conversationId, 0)).toBe(5);
    const posted = await visitor.call('POST', `/conversations/${conversationId}/messages`, {
      id: randomUUID(),
      text: 'by post',
      after: 0,
    });
    expect(posted.body.seq).toBe(6);
    expect(
      JSON.stringify((await socket.next('message', ({ message }) => message.seq === 6)).message),
    ).not.toContain('after');
    for (const each of [socket, visitorSocket]) each.close();
  });

  test('the HTTP call checks like the socket; a closed conversation is reported as closed', async () => {
    const { conversationId } = await startChat();
    const path = `/conversations/${conversationId}`;
    const post = (person: Person, after?: number) =>
      person.call('POST', `${path}/messages`, { id: randomUUID(), text: 'by post', after });
    expect((await post(ana, 1)).body.seq).toBe(2);
    expect(await post(ben, 1)).toMatchObject({ status: 409, body: { code: 'reply_outdated' } });
    // A reply without `after` is not checked.
    expect((await post(ben)).body.seq).toBe(3);
    await ana.call('PUT', `${path}/status`, { status: 'closed' });
    expect((await post(ben, 1)).body.code).toBe('conversation_closed');
  });
});

describe('[QUEUE-20] waiting since', () => {
  test('the first unanswered message counts; an answer ends the wait, and clears the mark', async () => {
    const { conversationId, visitorSocket } = await startChat();
    const { socket } = await watchAs(ana, conversationId);
    const first = await waitingSince(conversationId);
    expect(first).toBe((await rowOf(conversationId)).lastMessageAt);
    await sendOver(visitorSocket, conversationId, 'Hello?');
    expect(await waitingSince(conversationId)).toBe(first);
    await server.app.db.pool.query('update conversations set marked_unread = true where id = $1', [
      conversationId,
    ]);
    await sendOver(visitorSocket, conversationId, 'Still here');
    expect(await rowOf(conversationId)).toMatchObject({ markedUnread: true, waitingSince: first });
    expect(await reply(socket, conversationId, 1)).toBe(4);
    expect(await rowOf(conversationId)).toMatchObject({ markedUnread: false, waitingSince: null });
    const again = await sendOver(visitorSocket, conversationId, 'Thank you. And another thing');
    expect(await waitingSince(conversationId)).toBe(again.createdAt);
    for (const each of [socket, visitorSocket]) each.close();
  });

  test('a message that reopens the conversation starts a new wait', async () => {
    const { conversationId, visitorSocket } = await startChat();
    await ana.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
    const { createdAt } = await sendOver(visitorSocket, conversationId, 'One more thing');
    expect(await waitingSince(conversationId)).toBe(createdAt);
    visitorSocket.close();
  });

  test.each([
    ['v', 'kept'],
    ['vo', 'none'],
    ['ov', 'new'],
    ['vov', 'new'],
    ['ovo', 'none'],
  ])('one batch of %s has the same result as one by one: %s', async (order, left) => {
    const { visitor, conversationId } = await startChat();
    const before = await waitingSince(conversationId);
    const results = await Promise.all(
      order
        .split('')
        .map((who) =>
          server.app.appender.append(draft(conversationId, who === 'o' ? ana : visitor.browser.visitorId)),
        ),
    );
    const last = results.at(-1);
    const at = last?.outcome === 'stored' ? last.createdAt : undefined;
    // All in one append, or this would prove nothing.
    expect(new Set(results.map((result) => 'createdAt' in result && result.createdAt)).size).toBe(1);
    expect(await waitingSince(conversationId)).toBe({ kept: before, none: null, new: at }[left]);
  });
});

describe('colleagues', () => {
  test('see each other at every gateway; the visitor and one’s own windows receive nothing', async () => {
    const { conversationId, visitorSocket } = await startChat();
    const { socket: anaHere } = await watchAs(ana, conversationId);
    const { socket: anaToo } = await watchAs(ana, conversationId);
    const { socket: anaThere } = await watchAs(ana, conversationId, elsewhere);
    const { socket: benHere } = await watchAs(ben, conversationId);
    const { socket: benThere } = await watchAs(ben, conversationId, elsewhere);
    const { visitor: stranger, conversationId: another } = await createChat(server, DESK);
    const { socket: strangerSocket } = await watchAs(stranger, another);
    // For the rows of the queue, also without watching the conversation.
    const desks = await Promise.all(
      [undefined, elsewhere].map(async (url) => (await watchQueue(ben, url)).socket),
    );
    const { socket: ownDesk } = await watchQueue(ana);
    const nextDoing = (doing: string) =>
      Promise.all(
        [benHere, benThere, ...desks].map((socket) =>
          socket.next(
            'colleague',
            (frame) => frame.doing === doing && frame.conversationId === conversationId,
          ),
        ),
      );

    anaHere.send({ type: 'attend', conversationId, doing: 'viewing' });
    const [frame] = await nextDoing('viewing');
    expect(frame).toEqual({
      type: 'colleague',
      conversationId,
      staffId: staffIdOf(ana),
      name: 'Handler',
      doing: 'viewing',
    });
    anaHere.send({ type: 'attend', conversationId, doing: 'replying' });
    await nextDoing('replying');

    // Not watched and never attended: nothing to report.
    benHere.send({ type: 'attend', conversationId: another, doing: 'viewing' });
    benHere.send({ type: 'attend', conversationId, doing: 'left' });
    visitorSocket.send({ type: 'attend', conversationId, doing: 'viewing' });

    // The other window is still open; when the last one disconnects, the person has left.
    anaToo.send({ type: 'attend', conversationId, doing: 'viewing' });
    await nextDoing('viewing');
    anaHere.send({ type: 'attend', conversationId, doing: 'left' });
    anaToo.send({ type: 'attend', conversationId, doing: 'replying' });
    await nextDoing('replying');
    expect([...benHere.received, ...benThere.received].filter(({ type }) => type === 'colleague')).toEqual(
      [],
    );
    anaToo.close();
    await nextDoing('left');

    benThere.send({ type: 'attend', conversationId, doing: 'viewing' });
    await anaHere.next('colleague', (received) => received.staffId === staffIdOf(ben));
    benThere.send({ type: 'unwatch', conversationId });
    await anaThere.next('colleague', (received) => received.doing === 'left');

    // A later message arrives after everything before it.
    await sendOver(anaHere, conversationId, 'Good day');
    await visitorSocket.next('message');
    for (const socket of [visitorSocket, strangerSocket]) {
      expect(socket.received.filter(({ type }) => !['presence', 'conversation'].includes(type))).toEqual([]);
    }
    for (const socket of [anaHere, anaThere, ownDesk]) {
      expect(
        socket.received.filter(
          (received) => received.type === 'colleague' && received.staffId === staffIdOf(ana),
        ),
      ).toEqual([]);
    }
    const sockets = [anaHere, anaThere, benHere, benThere, visitorSocket, strangerSocket, ownDesk, ...desks];
    for (const each of sockets) each.close();
  });
});

function seqsOf(socket: LiveClient): number[] {
  return socket.received.flatMap((frame) => (frame.type === 'message' ? [frame.message.seq] : []));
}

/** The row of this chat in the queue. */
async function rowOf(id: string) {
  const { rows } = (await ana.call('GET', '/queue')).body;
  return rows.find((row: QueueRow) => row.conversationId === id);
}

function staffIdOf(person: Person): string {
  const [, claims = ''] = person.browser.token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub;
}
