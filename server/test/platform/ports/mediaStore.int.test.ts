import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaPath } from '@settee/protocol/model/media';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fullSize } from '../../../../tools/fullSize.ts';
import { openDiskMedia, UPLOADING_MAX_BYTES } from '../../../src/media/diskMedia.adapter.ts';
import { serveMedia } from '../../../src/media/diskMedia.routes.ts';
import { s3Media } from '../../../src/media/s3Media.adapter.ts';
import { systemClock, systemRandom } from '../../../src/platform/adapters/system.ts';
import type { Clock, MediaStore, ServedMediaStore } from '../../../src/platform/ports/ports.ts';
import { soon } from '../../support/soon.ts';
import { testMedia, testS3 } from '../../support/testMedia.ts';

type MediaRig = {
  /** A store with the same media and another clock. */
  storeAt(clock: Clock): Promise<MediaStore>;
  /** Where to send a request for a signed URL. */
  locate(address: string): string;
  end(): Promise<void>;
};

type Change = { name: string; to: (url: URL) => void };

const HOUR_MS = 3_600_000;
const AN_HOUR_AGO: Clock = { ...systemClock, now: () => Date.now() - HOUR_MS };
const PNG = 'image/png';

const OUTSIDE = [
  '',
  '/',
  '/etc/passwd',
  '..',
  '../outside',
  'a/../../outside',
  'a//b',
  'a\\..\\b',
  'a/%2e%2e/b',
  'a/b?c',
  'a/b\0c',
  'a/ä',
  'a/.hidden',
  `a/${'b'.repeat(600)}`,
];

function mediaStoreContract(start: () => Promise<MediaRig>): void {
  let rig: MediaRig;
  let store: MediaStore;
  let used: string[] = [];
  beforeAll(async () => {
    rig = await start();
    store = await rig.storeAt(systemClock);
  });
  afterEach(async () => {
    await Promise.all(used.map((path) => store.remove(path)));
    used = [];
  });
  afterAll(() => rig.end());

  async function pathsUnder(folder: string): Promise<string[]> {
    const paths: string[] = [];
    for await (const path of store.listAll(folder)) paths.push(path);
    return paths;
  }

  function newPath(fileName = 'photo.png'): string {
    const randomId = randomBytes(16).toString('hex');
    const path = mediaPath({ conversationId: randomUUID(), randomId, timestamp: Date.now(), fileName });
    used.push(path);
    return path;
  }

  async function upload(address: string, body: Uint8Array<ArrayBuffer>, type = PNG): Promise<number> {
    const response = await fetch(rig.locate(address), {
      method: 'PUT',
      body,
      headers: { 'content-type': type },
    });
    await response.arrayBuffer();
    return response.status;
  }

  async function download(address: string) {
    const response = await fetch(rig.locate(address));
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  }

  async function stored(path: string) {
    return (await download(await store.signDownload(path, 60))).body;
  }

  describe('allowed requests', () => {
    test('[D-10] an image is stored and addressed under the conversation’s path', async () => {
      const path = newPath('Holiday of Ada.JPEG');
      const image = randomBytes(4_321);
      const to = await store.signUpload(path, { type: 'image/jpeg', bytes: image.length, seconds: 60 });
      const from = await store.signDownload(path, 60);
      expect(path).toMatch(/^conversations\/[0-9a-f-]{36}\/media\/[0-9a-f]{32}_[0-9]{13}\.jpeg$/);
      for (const address of [to, from]) expect(new URL(address).pathname.endsWith(`/${path}`)).toBe(true);

      expect(await store.head(path)).toBeUndefined();
      expect(await upload(to, image, 'image/jpeg')).toBe(200);
      expect(await store.head(path)).toEqual({ bytes: 4_321, type: 'image/jpeg' });
      const answer = await download(from);
      expect(answer.status).toBe(200);
      expect(answer.body.equals(image)).toBe(true);
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      expect(answer.headers.get('content-length')).toBe('4321');
    });

    test('[MEDIA-09] a download is saved under our own name, and no copy stays in the browser', async () => {
      const path = newPath('Ada"; filename=evil.html');
      await store.put(path, randomBytes(10), PNG);
      const { headers } = await download(await store.signDownload(path, 60));
      const disposition = headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^attachment;filename=[0-9a-f]{32}_[0-9]{13}\.html$/);
      expect(path.endsWith(disposition.slice('attachment;filename='.length))).toBe(true);
      expect(headers.get('cache-control')).toBe('no-store');
    });

    test('[PRIVACY-09] all objects below a path are listed and deleted at once, however many, and nothing beside it', async () => {
      const folder = `uploads/${randomUUID()}`;
      // At night more than one page of a listing. A name with the same prefix is another folder.
      const inside = Array.from({ length: fullSize(105, 1_005) }, (_, i) => `${folder}/${i}`);
      const beside = `${folder}0/1`;
      used.push(beside);
      const everything = [...inside, beside];
      for (let at = 0; at < everything.length; at += 50) {
        await Promise.all(everything.slice(at, at + 50).map((path) => store.put(path, randomBytes(3), PNG)));
      }
      const listed = await pathsUnder(folder);
      expect(listed.toSorted()).toEqual(inside.toSorted());
      await store.removeAll(folder);
      for (const path of [inside[0], inside.at(-1)]) expect(await store.head(path ?? '')).toBeUndefined();
      expect(await store.head(beside)).toBeDefined();
      // An empty folder is fine.
      await store.removeAll(folder);
      expect(await pathsUnder(folder)).toEqual([]);
    });

    test('a removed object is gone, also for its signed URLs; removing a missing one is no error', async () => {
      const path = newPath();
      await store.put(path, randomBytes(10), PNG);
      const from = await store.signDownload(path, 60);
      expect((await download(from)).status).toBe(200);
      await store.remove(path);
      expect(await store.head(path)).toBeUndefined();
      expect((await download(from)).status).toBe(404);
      await store.remove(path);
      // Nor is a folder an object.
      await store.put(path, randomBytes(10), PNG);
      expect(await store.head(path.slice(0, path.lastIndexOf('/')))).toBeUndefined();
    });
  });

  describe('an upload is refused and leaves nothing', () => {
    const image = randomBytes(1_000);

    async function refused(send: (address: string) => Promise<number>, seconds = 60, by?: MediaStore) {
      const path = newPath();
      const signer = by ?? store;
      const status = await send(await signer.signUpload(path, { type: PNG, bytes: image.length, seconds }));
      expect([400, 403, 411]).toContain(status);
      expect(await store.head(path)).toBeUndefined();
    }

    test.each(['image/jpeg', 'image/png; charset=utf-8'])('with the type %s', (type) =>
      refused((address) => upload(address, image, type)),
    );

    test('without a type', () => refused((address) => putRaw(rig.locate(address), image, { length: true })));

    test.each([0, 999, 1_001])('with %i bytes instead of 1,000', (bytes) =>
      refused((address) => upload(address, randomBytes(bytes))),
    );

    test.each([999, 1_001])('with %i bytes and no content length', (bytes) =>
      refused((address) => putRaw(rig.locate(address), randomBytes(bytes), { type: PNG })),
    );

    test('too late', async () =>
      refused((address) => upload(address, image), 60, await rig.storeAt(AN_HOUR_AGO)));

    test('unsigned', () => refused((address) => upload(withoutQuery(address), image)));

    test('with the URL of a download', async () => {
      const path = newPath();
      expect(await upload(await store.signDownload(path, 60), image)).toBe(403);
      expect(await store.head(path)).toBeUndefined();
    });

    test('at the path of another object', async () => {
      const [mine, theirs] = [newPath(), newPath()];
      await store.put(theirs, Buffer.from('theirs'), PNG);
      const address = await store.signUpload(mine, { type: PNG, bytes: image.length, seconds: 60 });
      expect(await upload(address.replace(mine, theirs), image)).toBe(403);
      expect(String(await stored(theirs))).toBe('theirs');
    });

    test('with any part of the URL changed or missing', async () => {
      const path = newPath();
      const address = await store.signUpload(path, { type: PNG, bytes: image.length, seconds: 60 });
      for (const { name, to } of changesTo(address)) {
        expect([name, refusal(await upload(changed(address, to), image))]).toEqual([name, 'refused']);
      }
      expect(await store.head(path)).toBeUndefined();
      expect(await upload(address, image)).toBe(200);
    });
  });

  describe('a download is refused', () => {
    const secret = 'what only the conversation may see';

    async function put(): Promise<string> {
      const path = newPath();
      await store.put(path, Buffer.from(secret), PNG);
      return path;
    }

    async function refused(address: string) {
      const { status, body } = await download(address);
      expect([400, 403]).toContain(status);
      expect(String(body)).not.toContain(secret);
    }

    test('too late', async () => {
      const old = await rig.storeAt(AN_HOUR_AGO);
      const path = await put();
      await refused(await old.signDownload(path, 60));
      expect((await download(await old.signDownload(path, 2 * 3_600))).status).toBe(200);
    });

    test('unsigned', async () => {
      await refused(withoutQuery(await store.signDownload(await put(), 60)));
    });

    test('with the URL of an upload', async () => {
      await refused(await store.signUpload(await put(), { type: PNG, bytes: 10, seconds: 60 }));
    });

    test('at another path', async () => {
      const [mine, theirs] = [await put(), await put()];
      await refused((await store.signDownload(mine, 60)).replace(mine, theirs));
    });

    test('with any part of the URL changed or missing', async () => {
      const address = await store.signDownload(await put(), 60);
      for (const { name, to } of changesTo(address)) {
        const { status, body } = await download(changed(address, to));
        expect([name, refusal(status), String(body).includes(secret)]).toEqual([name, 'refused', false]);
      }
    });
  });

  test.each(OUTSIDE)('the path %j is refused by every call', async (path) => {
    const what = { type: PNG, bytes: 1, seconds: 60 };
    await expect(store.signUpload(path, what)).rejects.toThrow('invalid media path');
    await expect(store.signDownload(path, 60)).rejects.toThrow('invalid media path');
    await expect(store.get(path, 10)).rejects.toThrow('invalid media path');
    await expect(store.put(path, Buffer.from('x'), PNG)).rejects.toThrow('invalid media path');
    await expect(store.head(path)).rejects.toThrow('invalid media path');
    await expect(store.remove(path)).rejects.toThrow('invalid media path');
    await expect(store.removeAll(path)).rejects.toThrow('invalid media path');
    await expect(pathsUnder(path)).rejects.toThrow('invalid media path');
  });
}

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

function refusal(status: number): string {
  return [400, 403].includes(status) ? 'refused' : `answered with ${status}`;
}

function changed(address: string, change: (url: URL) => void): string {
  const url = new URL(address);
  change(url);
  return url.href;
}

function withoutQuery(address: string): string {
  return changed(address, (url) => {
    url.search = '';
  });
}

/** Each query parameter removed, emptied, and with another last character. */
function changesTo(address: string): Change[] {
  return [...new URL(address).searchParams].flatMap(([key, value]): Change[] => [
    { name: `without ${key}`, to: ({ searchParams }) => searchParams.delete(key) },
    { name: `empty ${key}`, to: ({ searchParams }) => searchParams.set(key, '') },
    {
      name: `other ${key}`,
      to: ({ searchParams }) => searchParams.set(key, value.slice(0, -1) + (value.endsWith('1') ? '2' : '1')),
    },
  ]);
}

/** fetch always sends type or length; this omits what is not given. */
async function putRaw(
  address: string,
  body: Uint8Array,
  headers: { type?: string; length?: true },
): Promise<number> {
  return new Promise((answered, failed) => {
    const outgoing = request(address, {
      method: 'PUT',
      headers: {
        ...(headers.type !== undefined && { 'content-type': headers.type }),
        ...(headers.length === true && { 'content-length': body.length }),
      },
    });
    outgoing.on('error', failed).on('response', (response) => {
      response.resume().on('end', () => answered(response.statusCode ?? 0));
    });
    // Two writes: with one, Node would set the length itself.
    outgoing.write(body.subarray(0, 10));
    outgoing.end(body.subarray(10));
  });
}

const PUBLIC_URL = 'https://chat.example';
const SECRET = 'a secret for tests, long enough to pass';

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

  test('an image that counts as stored is on the disk, with its name and its folders', async () => {
    const paths = ['chat/1/a.png', 'chat/1', 'chat', ''].map((path) => join(rig.root, path));
    const [image = ''] = paths;
    const anyFile = await open(rig.root);
    const prototype = Object.getPrototypeOf(anyFile) as FileHandle;
    await anyFile.close();
    const { sync } = prototype;
    const synced: { ino: number; bytes: number; named: boolean }[] = [];
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      const { ino, size } = await this.stat();
      synced.push({ ino, bytes: size, named: existsSync(image) });
      await sync.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    await store.put('chat/1/a.png', randomBytes(1_000), PNG);
    const onDisk = await Promise.all(paths.map((path) => stat(path)));
    // All bytes, before they get their name. Then the name.
    expect(synced).toEqual(
      onDisk.map(({ ino, size }, at) => ({ ino, bytes: at === 0 ? size : expect.anything(), named: at > 0 })),
    );
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

  test('files are readable only by this user, and contain the exact bytes', async () => {
    await store.put('deep/er/mine.png', Buffer.from('mine'), PNG);
    const file = join(rig.root, 'deep', 'er', 'mine.png');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(rig.root, 'deep'))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, 'utf8')).toBe('image/png\nmine');
  });
});

describe('media in S3', () =>
  mediaStoreContract(async () => ({
    storeAt: async (clock) => testMedia(clock),
    locate: (address) => address,
    end: async () => {},
  })));

test('a store that accepts connections but never answers times out; signing needs no connection', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const { port } = silent.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  const store = s3Media({ ...testS3(), endpoint, publicEndpoint: endpoint }, systemClock);
  expect(await store.signUpload('a/b', { type: 'image/png', bytes: 1, seconds: 60 })).toContain(endpoint);
  await expect(store.head('a/b')).rejects.toThrow('timeout');
  silent.close();
});
