import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FRAME_MAX_BYTES, type Up } from '../../protocol/src/frames/up.ts';
import { PROTOCOL_VERSION } from '../../protocol/src/frames/version.ts';
import type { LiveClient } from '../../server/test/support/client.ts';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { createChat, createStaff, type Person, sendOver } from '../../server/test/support/people.ts';
import { seededRandom } from '../../server/test/support/seededRandom.ts';
import { fullSize, seedOr } from '../fullSize.ts';

const MINUTE = 60_000;
const FRAMES = fullSize(6_000, 100_000);
/** Frames between two checks that the socket still answers. */
const BATCH = 50;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { sendBurst: 100_000, limitFactor: 10_000 } });
});
afterAll(() => server.close());

type Draw = (below: number) => number;

const WEIRD: unknown[] = [
  null,
  true,
  -1,
  0.5,
  Number.MAX_SAFE_INTEGER,
  1e308,
  '',
  '\u0000',
  '\ud800',
  '\u202e',
  'x'.repeat(5_000),
  [],
  {},
  [[[[]]]],
  { type: 'send' },
  '__proto__',
  '00000000-0000-4000-8000-000000000000',
];

/** A valid frame of each type. */
function validFrames(conversationId: string, token: string): Up[] {
  return [
    { type: 'send', conversationId, id: randomUUID(), text: 'a text' },
    { type: 'sendMedia', conversationId, id: randomUUID(), mediaId: randomUUID() },
    { type: 'seen', conversationId, seq: 1 },
    { type: 'typing', conversationId },
    { type: 'attend', conversationId, doing: 'viewing' },
    { type: 'ping' },
    { type: 'range', conversationId, after: 0 },
    { type: 'watch', conversationId, after: 0 },
    { type: 'unwatch', conversationId },
    { type: 'watchQueue', paged: true },
    { type: 'queuePage', show: 'all', after: { at: 1, id: conversationId } },
    { type: 'watchManagement' },
    { type: 'renew', token },
    { type: 'hello', version: PROTOCOL_VERSION, token },
  ];
}

/** Changes a value, a field, or the bytes. */
function mutate(frame: Up, draw: Draw): string {
  const fields: Record<string, unknown> = { ...frame };
  const names = Object.keys(fields);
  const name = names[draw(names.length)] ?? 'type';
  const text = JSON.stringify(frame);
  const at = draw(text.length);
  switch (draw(8)) {
    case 0:
      return JSON.stringify({ ...fields, [name]: WEIRD[draw(WEIRD.length)] });
    case 1:
      delete fields[name];
      return JSON.stringify(fields);
    case 2:
      return `{"__proto__":{"admin":true},${text.slice(1)}`;
    case 3:
      return text.slice(0, at) + String.fromCharCode(draw(0x300)) + text.slice(at + 1);
    case 4:
      return text.slice(0, at);
    case 5:
      return text.slice(0, at) + text.slice(draw(text.length));
    case 6:
      return `${'['.repeat(draw(4_000))}${text}`.slice(0, FRAME_MAX_BYTES - 10);
    default:
      return JSON.stringify({ ...fields, [`field${draw(9)}`]: WEIRD[draw(WEIRD.length)] });
  }
}

test('[API-02] no mutated frame crashes the gateway, fails in it, or stops a chat', {
  timeout: fullSize(3, 30) * MINUTE,
}, async () => {
  const logged = vi.spyOn(server.app.log, 'error');
  const seed = seedOr(Date.now);
  const draw: Draw = seededRandom(seed).below;
  const { visitor, conversationId } = await createChat(server, 'mara-east');
  const handler = await createStaff(server, 'mara-east');
  const people: Person[] = [visitor, handler];
  const calm = await createChat(server, 'mara-east');
  const witness = await calm.visitor.live();
  witness.send({ type: 'watch', conversationId: calm.conversationId });
  await witness.next('watched');
  const sockets = new Map<Person, LiveClient>();
  const refusals = new Set<string>();
  let sent = 0;
  for (; sent < FRAMES; sent += BATCH) {
    for (const person of people) {
      let socket = sockets.get(person);
      if (socket === undefined || socket.closed !== undefined) {
        socket = await person.live();
        socket.send({ type: 'watch', conversationId });
        sockets.set(person, socket);
      }
      const valid = validFrames(conversationId, person.browser.token);
      for (let turn = 0; turn < BATCH / people.length; turn++) {
        socket.sendRaw(mutate(valid[draw(valid.length)] ?? { type: 'ping' }, draw));
      }
      socket.send({ type: 'ping' });
      const answering = socket;
      await answering.until(
        () => answering.closed !== undefined || answering.received.some(({ type }) => type === 'pong'),
        `no answer after ${sent} frames with seed ${seed}`,
      );
      for (const frame of answering.received) if (frame.type === 'refused') refusals.add(frame.code);
      answering.received.length = 0;
    }
  }
  await sendOver(witness, calm.conversationId, 'still here');
  console.log(`  ${sent} frames with seed ${seed}; refused with ${[...refusals].sort().join(', ')}`);
  expect(refusals).not.toContain('unavailable');
  expect(logged.mock.calls).toEqual([]);
  for (const socket of [...sockets.values(), witness]) socket.close();
});
