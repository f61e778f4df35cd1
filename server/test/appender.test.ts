import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Appender, UnknownOutcome } from '../src/db/message/appender.ts';
import { noopMetrics } from '../src/metrics/noopMetrics.ts';

const NOWHERE = 'postgres://127.0.0.1:1/nowhere';

function draft() {
  return {
    conversationId: randomUUID(),
    id: randomUUID(),
    text: 'hello',
    fromOwner: false,
    authorId: randomUUID(),
    alias: null,
    after: null,
    mediaId: null,
  };
}

function countingUnconfirmed() {
  const counted = { unconfirmed: 0 };
  const metrics = {
    ...noopMetrics,
    unconfirmed: (messages: number) => {
      counted.unconfirmed += messages;
    },
  };
  return { counted, metrics };
}

test('messages that never reached the database are not counted as possibly stored', async () => {
  const { counted, metrics } = countingUnconfirmed();
  const appender = new Appender(NOWHERE, 1, metrics);
  await expect(appender.append(draft())).rejects.toThrow(UnknownOutcome);
  await appender.close();
  await expect(appender.append(draft())).rejects.toThrow('not taken');
  expect(counted.unconfirmed).toBe(0);
});

test('messages on a connection that broke are counted as possibly stored', async () => {
  const { counted, metrics } = countingUnconfirmed();
  // Just enough of PostgreSQL to connect: it accepts everybody, is ready, and dies at the first query.
  const letIn = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', ['I'.charCodeAt(0)])]);
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(letIn);
      socket.once('data', () => socket.destroy());
    });
  });
  await once(dying.listen(0, '127.0.0.1'), 'listening');
  const { port } = dying.address() as AddressInfo;
  const appender = new Appender(`postgres://somebody@127.0.0.1:${port}/there`, 1, metrics);
  await expect(appender.append(draft())).rejects.toThrow(UnknownOutcome);
  expect(counted.unconfirmed).toBe(1);
  await appender.close();
  dying.close();
});

function message(type: string, body: number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
