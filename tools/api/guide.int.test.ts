import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler, PASSWORD } from '../../server/test/support/browser.ts';
import { codeOf, withApp } from '../../server/test/support/factors.ts';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { createChat } from '../../server/test/support/people.ts';
import { freePort } from '../freePorts.ts';
import { runShell, shellBlocks } from './shell.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'settee-guide-'));
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

let server: TestServer;
beforeAll(async () => {
  const port = await freePort();
  // curl uses the public address, as with a real installation.
  server = await startTestServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (script: string, input: string) =>
  runShell(script, { cwd: folder, env: { SETTEE: server.app.config.publicUrl }, input });

test('every command of the guide works, from signing in to an invite', async () => {
  const { email } = await handler(server);
  const { visitor, conversationId } = await createChat(server, 'mara-east');
  await visitor.call('POST', `/conversations/${conversationId}/messages`, {
    id: '5c1f3f5e-6f0b-4d55-8f43-0c4c1f6f9a10',
    text: 'Is anybody there?',
  });
  const admin = await withApp(server, 'admin');
  writeFileSync(join(folder, 'handler.json'), JSON.stringify({ email, password: PASSWORD }));
  writeFileSync(join(folder, 'admin.json'), JSON.stringify({ email: admin.email, password: PASSWORD }));

  const script = shellBlocks(guide);
  // Every curl command is in a block that runs.
  expect(script.match(/\bcurl -/g)?.length).toBe(guide.match(/\bcurl -/g)?.length);
  // The next code is valid already, and half a minute longer than the current one.
  const { code, out, err } = await run(script, `${codeOf(server, admin.secret, 1)}\n`);
  expect([code, err]).toEqual([0, '']);

  expect(read('queue.json').rows).toHaveLength(1);
  expect(read('conversation.json').conversation.id).toBe(conversationId);
  expect(read('messages.json').messages[0].text).toBe('Is anybody there?');
  expect(read('sent.json')).toMatchObject({ success: true, seq: 2 });
  const { messages } = (await visitor.call('GET', `/conversations/${conversationId}/messages`)).body;
  expect(messages).toHaveLength(2);
  const link = read('made.json').links[0].link as string;
  expect(out).toContain(link);
  const token = link.slice(link.lastIndexOf('/') + 1);
  expect((await server.request('GET', `/checkInvite/${token}`)).body).toMatchObject({
    success: true,
    state: 'NEW',
  });
});
