import { readFileSync } from 'node:fs';
import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { freePortRange, holdPort } from '../../../tools/freePorts.ts';
import type { LiveClient } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, type Person, sendOver } from '../support/people.ts';
import { type ProductProcess, startProduct } from '../support/productProcess.ts';

const SLOW = { timeout: 150_000, interval: 100 };

/** Creates the people. Nobody connects to it. */
let server: TestServer;
let group: ProductProcess;
let privatePort: number;
beforeEach(async () => {
  server = await startTestServer();
  privatePort = await freePortRange(2);
});
afterEach(async () => {
  await group.stop();
  await server.close();
});

function start(env: Record<string, string> = {}): Promise<ProductProcess> {
  return startProduct('gateway', {
    DATABASE_URL: server.databaseUrl,
    NATS_URL: inject('engines').NATS_URL ?? '',
    PUBLIC_URL: server.app.config.publicUrl,
    PRIVATE_PORT: String(privatePort),
    SECURITY_LOG: 'off',
    GATEWAYS: '2',
    ...env,
  });
}

/** The process of a gateway: a child of the process that was started, with the gateway's number as its argument. */
function pidOf(gateway: number): number {
  const { pid } = group;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const found = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').endsWith(`main.ts\0${gateway}\0`),
  );
  return Number(found);
}

/** A socket at one gateway: the other one is frozen meanwhile. */
async function liveAt(gateway: number, person: Person): Promise<LiveClient> {
  const other = pidOf(3 - gateway);
  process.kill(other, 'SIGSTOP');
  try {
    return await person.live(group.urlOf('listening'));
  } finally {
    process.kill(other, 'SIGCONT');
  }
}

async function ask(gateway: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${privatePort + gateway - 1}${path}`)).text();
}

async function socketsAt(gateway: number): Promise<Record<string, number>> {
  const found = (await ask(gateway, '/metrics')).matchAll(/^settee_sockets\{kind="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, kind, count]) => [kind, Number(count)]));
}

/** A visitor at the first gateway and a console at the second. */
async function chatAcross() {
  const handler = await createStaff(server, 'desk');
  const { visitor, conversationId } = await createChat(server, 'desk');
  const page = await liveAt(1, visitor);
  const console = await liveAt(2, handler);
  for (const socket of [page, console]) {
    socket.send({ type: 'watch', conversationId });
    await socket.next('watched');
  }
  return { visitor, conversationId, page, console };
}

test('one command starts two gateways on one port; a killed one costs only its own sockets and starts again; SIGTERM stops both', async () => {
  group = await start();
  await Promise.all([group.waitFor('listening', 1), group.waitFor('listening', 2)]);
  expect(group.urlOf('listening', 1)).toBe(group.urlOf('listening', 2));
  const { visitor, conversationId, page, console } = await chatAcross();
  expect(await socketsAt(1)).toMatchObject({ visitor: 1, handler: 0 });
  expect(await socketsAt(2)).toMatchObject({ visitor: 0, handler: 1 });
  await sendOver(page, conversationId, 'from one');
  expect(await console.next('message')).toMatchObject({ message: { text: 'from one' } });
  await sendOver(console, conversationId, 'from the other');
  expect(await page.next('message', ({ message }) => message.seq === 2)).toBeDefined();

  const readyOf = async (gateway: number) => JSON.parse(await ask(gateway, '/readyz'));
  await expect.poll(() => readyOf(1)).toMatchObject({ ready: true, jobs: 'running' });
  await expect.poll(() => readyOf(2)).toMatchObject({ ready: true });
  expect(await readyOf(2)).not.toHaveProperty('jobs');
  await expect.poll(() => group.output().match(/\/admin\/setup/g)).toHaveLength(1);

  const killed = pidOf(1);
  // It must not start a successor before the port is held.
  group.signal('SIGSTOP');
  process.kill(killed, 'SIGKILL');
  const held = await vi.waitFor(async () => {
    const port = await holdPort(privatePort);
    if (port === undefined) throw new Error('the killed process still has its port');
    return port;
  }, SLOW);
  group.signal('SIGCONT');
  await page.until(() => page.closed !== undefined, 'still open');
  // Its first successor cannot listen.
  await vi.waitFor(
    () =>
      expect(
        group
          .linesOf('gateway ended', 1)
          .slice(0, 2)
          .map(({ reason }) => reason),
      ).toEqual(['SIGKILL', 'exit code 1']),
    SLOW,
  );
  const elsewhere = await visitor.live(group.urlOf('listening'));
  elsewhere.send({ type: 'watch', conversationId });
  await elsewhere.next('watched');
  await sendOver(elsewhere, conversationId, 'meanwhile');
  expect(await console.next('message', ({ message }) => message.text === 'meanwhile')).toBeDefined();

  await held.release();
  await vi.waitFor(() => expect(group.linesOf('listening', 1)).toHaveLength(2), SLOW);
  const again = await liveAt(1, visitor);
  again.send({ type: 'watch', conversationId });
  await again.next('watched');
  await sendOver(console, conversationId, 'welcome back');
  expect(await again.next('message')).toMatchObject({ message: { text: 'welcome back' } });
  expect(await socketsAt(1)).toMatchObject({ visitor: 1 });
  expect(group.linesOf('gateway ended', 2)).toEqual([]);
  expect(console.closed).toBeUndefined();

  expect(await group.stop()).toEqual([0, null]);
  for (const socket of [again, console]) {
    await socket.until(() => socket.closed !== undefined, 'still open');
    expect(socket.closed?.code).toBe(CLOSE_RESTART);
  }
  expect([1, 2].map((gateway) => group.linesOf('stopping', gateway).length)).toEqual([1, 1]);
});

test('several gateways do not start without NATS, or if one of them cannot start', async () => {
  group = await start({ NATS_URL: '', PRIVATE_PORT: '' });
  expect(await group.ended).toEqual([1, null]);
  expect(group.linesOf('cannot start')).toMatchObject([
    { level: 60, problem: expect.stringContaining('NATS_URL is needed') },
  ]);

  const held = await holdPort(privatePort + 1);
  group = await start();
  expect(await group.ended).toEqual([1, null]);
  expect(group.output()).toMatch(`Port ${privatePort + 1} is in use`);
  await held?.release();
});
