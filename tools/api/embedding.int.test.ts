import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { handler } from '../../server/test/support/browser.ts';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { soon } from '../../server/test/support/soon.ts';
import { freePort } from '../freePorts.ts';
import { runShell, shellBlocks } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'settee-embedding-'));
const stock = join(folder, 'links.txt');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000 } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const linksLeft = () => readFileSync(stock, 'utf8').split('\n').filter(Boolean);

test('the command creates a stock of links, and the program hands out each link once', async () => {
  await handler(server, 'mara-east');
  const { databaseUrl, app } = server;
  const made = await runShell(shellBlocks(page), {
    cwd: root,
    env: {
      STOCK: stock,
      DATABASE_URL: databaseUrl,
      SECRET: app.config.secret,
      PUBLIC_URL: 'https://chat.example.org',
      npm_config_loglevel: 'error',
    },
  });
  expect([made.code, made.err, made.out.trim()]).toEqual([0, '', '3']);
  const links = linksLeft();
  for (const link of links) {
    expect(link).toMatch(/^https:\/\/chat\.example\.org\/i\/a0[A-Za-z0-9_-]{32}$/);
    const { body } = await server.request('GET', `/checkInvite/${link.split('/').at(-1)}`);
    expect(body.state).toBe('NEW');
  }

  const program = /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  writeFileSync(join(folder, 'button.mjs'), program);
  const port = await freePort();
  const button = spawn(process.execPath, ['button.mjs', stock, String(port)], {
    cwd: folder,
    stdio: 'ignore',
  });
  try {
    const press = (method = 'POST') => fetch(`http://127.0.0.1:${port}/chat`, { method, redirect: 'manual' });
    await vi.waitFor(async () => expect((await press('GET')).status).toBe(404), soon);
    expect(linksLeft()).toEqual(links);
    const given = await Promise.all(links.map(() => press()));
    expect(given.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(given.map(({ headers }) => headers.get('location')))).toEqual(new Set(links));
    expect(given[0]?.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await press()).status).toBe(503);
  } finally {
    button.kill();
  }
});
