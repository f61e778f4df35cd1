import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { GatewayProcess } from '../../e2e/proof/gatewayProcess.ts';
import { freePort } from '../../tools/freePorts.ts';
import { isFull } from '../../tools/fullSize.ts';
import type { LiveClient } from './client.ts';
import { startTestServer } from './harness.ts';
import { createStaff, createVisitor } from './people.ts';

/** How long visitors may at most see a handler online who is not. */
const BELIEVED_MS = 60_000;
const root = join(import.meta.dirname, '../..');

// In parallel: both mostly wait. CI has the same rules with a clock that the test moves, in presenceStop.test.ts.
test
  .runIf(isFull)
  .concurrent('[QUEUE-28] a console whose machine crashed shows as online for at most a minute', async () => {
    const server = await startTestServer();
    const handler = await createStaff(server, 'frozen');
    const watcher = await (await createVisitor(server)).live();
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'consoleProcess.ts'),
        server.url,
        server.app.config.publicUrl,
        handler.browser.token,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    try {
      await waitForLine(lines, 'welcome');
      await watcher.next('presence', ({ online }) => online);
      // The worst moment: it has just answered, so it counts as online until the ping after the next.
      await waitForLine(lines, 'pinged');
      child.kill('SIGSTOP');
      await goesOffline(watcher);
    } finally {
      child.kill('SIGKILL');
    }
    watcher.close();
    await server.close();
  });

test
  .runIf(isFull)
  .concurrent('[QUEUE-28] a killed gateway counts as online for at most a minute', async () => {
    const server = await startTestServer();
    const handler = await createStaff(server, 'killed');
    const watcher = await (await createVisitor(server)).live();
    const gateway = new GatewayProcess({
      name: 'doomed',
      port: await freePort(),
      build: root,
      env: {
        DATABASE_URL: server.databaseUrl,
        NATS_URL: server.app.config.natsUrl ?? '',
        SECRET: 'a secret for tests, long enough to pass',
        PUBLIC_URL: server.app.config.publicUrl,
        HOST: '127.0.0.1',
        LOG_LEVEL: 'fatal',
      },
      clockAnHourAhead: false,
    });
    await gateway.start();
    try {
      const console = await handler.live(`http://127.0.0.1:${gateway.port}`);
      await watcher.next('presence', ({ online }) => online);
      // The worst moment: its lease has just begun.
      await gateway.kill();
      await goesOffline(watcher);
      console.close();
    } finally {
      await gateway.kill();
    }
    expect(gateway.unexpectedEnds).toEqual([]);
    watcher.close();
    await server.close();
  });

async function goesOffline(watcher: LiveClient): Promise<void> {
  const since = performance.now();
  // Pings keep the visitor's own socket open, as the page does.
  const pinging = setInterval(() => watcher.send({ type: 'ping' }), 10_000);
  await watcher.next('presence', ({ online }) => !online, 90_000).finally(() => clearInterval(pinging));
  const took = performance.now() - since;
  expect(took).toBeLessThan(BELIEVED_MS);
  // It took a while: a timeout ended it, not a closed socket.
  expect(took).toBeGreaterThan(10_000);
}

async function waitForLine(lines: string[], wanted: string): Promise<void> {
  await expect.poll(() => lines, { timeout: 30_000, interval: 20 }).toContain(wanted);
}
