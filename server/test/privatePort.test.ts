import { Server } from 'node:net';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { openPrivatePort } from '../src/private/privatePort.ts';

test('a private port that cannot accept a connection logs it each time, and accepts the next', async () => {
  const config = {
    ...readConfig({
      DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
      SECRET: 'a secret for tests, long enough to pass',
      PUBLIC_URL: 'http://settee.test',
    }),
    privatePort: 0,
  };
  const logged: string[] = [];
  const log = {
    info: (fields: { url?: string }) => logged.push(fields.url ?? ''),
    warn() {},
    error: (fields: { reason?: string }) => logged.push(fields.reason ?? ''),
  };
  const listen = vi.spyOn(Server.prototype, 'listen');
  const metrics = { contentType: 'text/plain', text: async () => '' };
  const port = await openPrivatePort({
    config,
    log,
    metrics,
    state: () => ({ starting: false, stopping: false }),
  });
  const [server] = listen.mock.contexts as Server[];
  listen.mockRestore();
  try {
    for (const code of ['EMFILE', 'ENFILE']) server?.emit('error', Object.assign(new Error('no'), { code }));
    expect(logged.slice(1)).toEqual(['Error EMFILE: no', 'Error ENFILE: no']);
    expect((await fetch(`${logged[0]}/healthz`)).status).toBe(200);
  } finally {
    await port.close();
  }
});
