import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDiskMedia, UPLOADING_MAX_BYTES } from '../../src/adapters/diskMedia.ts';
import { systemClock, systemRandom } from '../../src/adapters/system.ts';
import { serveMedia } from '../../src/http/diskMedia.ts';
import type { Clock, ServedMediaStore } from '../../src/ports.ts';
import { soon } from '../soon.ts';
import { type MediaRig, mediaStoreContract } from './mediaStore.contract.ts';

const PUBLIC_URL = 'https://chat.example';
const SECRET = 'a secret for tests, long enough to pass';
const PNG = 'image/png';

type DiskRig = MediaRig & {
  root: string;
  port: number;
  /** Errors at the gateway. */
  errors: unknown[];
  open(secret: string): Promise<ServedMediaStore>;
};

async function startDisk(): Promise<DiskRig> {
  const root = await mkdtemp(join(tmpdir(), 'settee-media-'));
  const open = (clock: Clock, secret = SECRET) =>
    openDiskMedia({ mediaRoot: root, publicUrl: PUBLIC_URL, secret }, { clock, random: systemRandom });
  // The limit for other bodies is far below an image and must not apply here.
  const server = Fastify({ bodyLimit: 65_536 });
  const errors: unknown[] = [];
  server.addHook('onError', async (_request, _reply, error) => void errors.push(error));
  serveMedia(server, await open(systemClock));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return {
    root,
    port,
    errors,
    storeAt: (clock) => open(clock),
    open: (secret) => open(systemClock, secret),
    locate: (address) => address.replace(PUBLIC_URL, `http://127.0.0.1:${port}`),
    async end() {
      await server.close();
      await rm(root, { recursive: true });
    },
  };
}

describe('media on disk', () => mediaStoreContract(startDisk));

describe('media on disk, its own rules', () => {
  let rig: DiskRig;
  let store: ServedMediaStore;
  beforeAll(async () => {
    rig = await startDisk();
    store = await rig.open(SECRET);
  });
  afterAll(() => rig.end());

  const drafts = () => readdir(join(rig.root, '.drafts'));
  const uploadTerms = (bytes: number) => ({ type: PNG, bytes, seconds: 60 });

  /** Writes raw text to the port and returns the complete response. */
  async function raw(text: string): Promise<string> {
    const socket = connect(rig.port, '127.0.0.1');
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  test('URLs point to the public address of the gateway', async () => {
    const address = new URL(await store.signDownload('a/b.png', 60));
    expect(address.origin).toBe(PUBLIC_URL);
    expect(address.pathname).toBe('/media/a/b.png');
  });

  test('a URL signed with another SECRET is refused', async () => {
    const other = await rig.open('quite another secret of enough length');
    await store.put('other.png', Buffer.from('x'), PNG);
    expect((await fetch(rig.locate(await other.signDownload('other.png', 60)))).status).toBe(403);
    expect((await fetch(rig.locate(await store.signDownload('other.png', 60)))).status).toBe(200);
  });

  test('a response is only a file: no sniffing, no page, no script', async () => {
    await store.put('page.html', Buffer.from('<script>alert(1)</script>'), 'text/html');
    const { headers } = await fetch(rig.locate(await store.signDownload('page.html', 60)));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
  });

  test('no request escapes the folder', async () => {
    await writeFile(join(rig.root, '..', 'settee-outside.txt'), 'image/png\noutside');
    const query = new URL(await store.signDownload('a.png', 60)).search;
    for (const path of [
      '../settee-outside.txt',
      '%2e%2e/settee-outside.txt',
      '..%2fsettee-outside.txt',
      '',
    ]) {
      for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
        const answer = await raw(
          `${method} /media/${path}${query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 (400|403|404) /);
      }
    }
    await rm(join(rig.root, '..', 'settee-outside.txt'));
  });

  test('an interrupted upload leaves nothing, not even a temporary file', async () => {
    const { pathname, search } = new URL(await store.signUpload('cut.png', uploadTerms(1_000)));
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-type: ${PNG}\r\ncontent-length: 1000\r\n\r\n`;
    const socket = connect(rig.port, '127.0.0.1');
    socket.write(head + 'x'.repeat(500));
    await vi.waitFor(async () => expect(await drafts()).toHaveLength(1), soon);
    socket.destroy();
    await vi.waitFor(async () => expect(await drafts()).toEqual([]), soon);
    expect(await store.head('cut.png')).toBeUndefined();
    // This happens every day and is not an error.
    await sleep(50);
    expect(rig.errors).toEqual([]);
  });

  test('[MEDIA-01] parallel uploads to one address hold one draft, and the newest counts', async () => {
    const bytes = 1_000_000;
    const address = await store.signUpload('parallel.png', uploadTerms(bytes));
    const { pathname, search } = new URL(address);
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-type: ${PNG}\r\ncontent-length: ${bytes}\r\n\r\n`;
    const half = Buffer.alloc(bytes / 2);
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect(rig.port, '127.0.0.1').on('error', () => {});
      socket.write(head);
      socket.write(half);
      return socket;
    });
    const open = () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
    for (const socket of sockets) socket.resume();
    await vi.waitFor(() => expect(open()).toHaveLength(1), soon);
    await vi.waitFor(async () => expect(await drafts()).toHaveLength(1), soon);
    // A sender who lost the connection tries again.
    const body = Buffer.alloc(bytes, 'n');
    const sent = await fetch(rig.locate(address), { method: 'PUT', body, headers: { 'content-type': PNG } });
    expect(sent.status).toBe(200);
    expect(Buffer.from((await store.get('parallel.png', bytes)) ?? []).equals(body)).toBe(true);
    await vi.waitFor(() => expect(open()).toEqual([]), soon);
    expect(await drafts()).toEqual([]);
    expect(rig.errors).toEqual([]);
  });

  test('[MEDIA-01] all uploads in progress together have a limit, and an upload that ended frees its share', async () => {
    const waiting = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const begin = async (number: number) => {
      const bytes = Math.floor(UPLOADING_MAX_BYTES / 2);
      const address = await store.signUpload(`large-${number}.png`, uploadTerms(bytes));
      const { promise, resolve } = waiting[number] ?? Promise.withResolvers<void>();
      const body = async function* () {
        await promise;
        yield Buffer.alloc(0);
      };
      return { upload: store.receive(address, { type: PNG, bytes, body: body(), cancel: resolve }) };
    };
    const [first, second] = [await begin(0), await begin(1)];
    await vi.waitFor(async () => expect(await drafts()).toHaveLength(2), soon);
    expect(await (await begin(2)).upload).toBe('busy');
    waiting[0]?.resolve();
    expect(await first.upload).toBe('refused');
    const third = await begin(2);
    await vi.waitFor(async () => expect(await drafts()).toHaveLength(2), soon);
    for (const { resolve } of waiting) resolve();
    await Promise.all([second.upload, third.upload]);
    expect(await drafts()).toEqual([]);
  });

  test.each([
    ['too few', [400, 599]],
    ['too many', [400, 601]],
    ['none', []],
  ])('received bytes count, whatever the header says: %s', async (_name, sizes) => {
    const body = async function* () {
      for (const size of sizes) yield Buffer.alloc(size);
    };
    const address = await store.signUpload('counted.png', uploadTerms(1_000));
    expect(await store.receive(address, { type: PNG, bytes: 1_000, body: body(), cancel() {} })).toBe(
      'refused',
    );
    expect(await store.head('counted.png')).toBeUndefined();
    expect(await drafts()).toEqual([]);
  });

  test('stops reading at the first byte too many', async () => {
    let given = 0;
    const endless = async function* () {
      for (;;) {
        given += 100;
        yield Buffer.alloc(100);
      }
    };
    const address = await store.signUpload('endless.png', uploadTerms(1_000));
    expect(await store.receive(address, { type: PNG, bytes: 1_000, body: endless(), cancel() {} })).toBe(
      'refused',
    );
    expect(given).toBe(1_100);
  });

  test('a refused sender is disconnected, not read to the end', async () => {
    const answer = await raw(
      `PUT /media/a.png HTTP/1.1\r\nhost: x\r\ncontent-type: ${PNG}\r\ncontent-length: 1000000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toMatch(/connection: close/i);
  });

  test('a type that would break the file’s first line is refused', async () => {
    await expect(store.put('type.png', Buffer.from('x'), 'image/png\nx')).rejects.toThrow('not a media type');
    await expect(store.put('type.png', Buffer.from('x'), '')).rejects.toThrow('not a media type');
    expect(await store.head('type.png')).toBeUndefined();
  });

  test('files are readable only by this user, and contain the exact bytes', async () => {
    await store.put('deep/er/mine.png', Buffer.from('mine'), PNG);
    const file = join(rig.root, 'deep', 'er', 'mine.png');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(rig.root, 'deep'))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, 'utf8')).toBe('image/png\nmine');
  });

  async function leaveDrafts(): Promise<string> {
    const folder = join(rig.root, '.drafts');
    await writeFile(join(folder, 'old'), 'half');
    await writeFile(join(folder, 'young'), 'half');
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    await utimes(join(folder, 'old'), twoHoursAgo, twoHoursAgo);
    return folder;
  }

  test('old temporary files are also removed every hour', async () => {
    const hours: (() => void)[] = [];
    await rig.storeAt({
      now: Date.now,
      after: (ms, run) => {
        expect(ms).toBe(3_600_000);
        hours.push(run);
        return () => {};
      },
    });
    for (const hour of [0, 1]) {
      const folder = await leaveDrafts();
      hours[hour]?.();
      await vi.waitFor(() => expect(hours).toHaveLength(hour + 2), soon);
      expect(await drafts()).toEqual(['young']);
      await rm(join(folder, 'young'));
    }
  });

  test('old temporary files of a crash are removed at the next start, recent ones stay', async () => {
    const folder = await leaveDrafts();
    await rig.open(SECRET);
    expect(await drafts()).toEqual(['young']);
    await rm(join(folder, 'young'));
  });
});
