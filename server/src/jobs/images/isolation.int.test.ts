import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient } from '../../../test/images/patient.ts';
import { still } from '../../../test/images/samples.ts';
import { detectIsolation, type Isolation, NO_ISOLATION } from './isolation.ts';
import { reencode } from './reencode.ts';

const BAD_CHILD = join(import.meta.dirname, '../../../test/images/badChild.ts');

const folder = mkdtempSync(join(tmpdir(), 'settee-isolation-'));
const secret = join(folder, 'secret');
const server = createServer((socket) => socket.end());
const { name } = await detectIsolation();
beforeAll(async () => {
  writeFileSync(secret, 'secret');
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Whether an image process that does as it likes succeeds. */
async function succeeds(attempt: string, isolation?: Isolation): Promise<boolean> {
  const file = Buffer.from(`GIF89a......${attempt}`);
  const options = { script: BAD_CHILD, ...patient, ...(isolation !== undefined && { isolation }) };
  return (await reencode(file, 'image/gif', options)).ok;
}

const connects = () => `connect ${(server.address() as AddressInfo).port}`;

test('without isolation the attempts succeed, so the tests below prove something', async () => {
  for (const attempt of [connects(), `read ${secret}`, `read /proc/${process.pid}/environ`])
    expect(await succeeds(attempt, NO_ISOLATION), attempt).toBe(true);
});

test.skipIf(name === 'none')(
  `[MEDIA-15] an image process has no network, no secrets of the worker (${name})`,
  async () => {
    expect(await succeeds('a good answer')).toBe(true);
    expect(await succeeds(connects())).toBe(false);
    expect(await succeeds(`read /proc/${process.pid}/environ`)).toBe(false);
  },
);

test.skipIf(name !== 'bubblewrap')(
  '[MEDIA-15] with bubblewrap it sees and writes no file outside',
  async () => {
    for (const path of [secret, '/etc/passwd', '/etc/hostname', '/root/.profile'])
      expect(await succeeds(`read ${path}`), path).toBe(false);
    for (const path of [join(folder, 'new'), '/new', '/tmp/new', BAD_CHILD, process.execPath])
      expect(await succeeds(`write ${path}`), path).toBe(false);
  },
);

test('it still makes images', async () => {
  expect(await reencode(await still('png'), 'image/png', patient)).toMatchObject({ ok: true });
});
