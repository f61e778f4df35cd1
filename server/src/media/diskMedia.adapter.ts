import { createHmac, type KeyObject } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { isSigned, keysFor } from '../platform/config/keys.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import type { Clock, Random, ServedMediaStore } from '../platform/ports/ports.ts';
import { isMediaKey, mediaKey } from '../platform/ports/ports.ts';

const PREFIX = '/media/';
/** Hidden, so that no media path can name it. */
const DRAFTS = '.drafts';
const DRAFT_LIFE_MS = 60 * 60 * 1_000;
/** Announced bytes of all uploads in progress. Each of them has a draft. */
export const UPLOADING_MAX_BYTES = 268_435_456;
/** A file contains its type, a newline, and the bytes. So one rename changes both. */
const TYPE = /^[\x21-\x7e]{1,126}$/;
const HEADER_MAX = 127;

/** Stores media as files in a folder. The gateway serves its URLs (media/diskMedia.routes.ts). */
export async function openDiskMedia(
  config: Pick<Config, 'mediaRoot' | 'publicUrl' | 'secret'>,
  { clock, random }: { clock: Clock; random: Random },
): Promise<ServedMediaStore> {
  const root = resolve(config.mediaRoot);
  const drafts = join(root, DRAFTS);
  const urls = signedUrls(config, clock);
  const fileOf = (path: string): string => join(root, ...mediaKey(path).split('/'));
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  await sweepDrafts(drafts, clock.now() - DRAFT_LIFE_MS);
  sweepHourly(drafts, clock);

  const uploads = new Map<string, { cancel(): void; ended: Promise<void> }>();
  let uploading = 0;

  /** Atomic: readers see the old file or the new one. False when `fill` returns false. */
  async function write(path: string, type: string, fill: (file: FileHandle) => Promise<boolean>) {
    const target = fileOf(path);
    if (!TYPE.test(type)) throw new Error('not a media type');
    const draft = join(drafts, random.uuid());
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(`${type}\n`);
        if (!(await fill(file))) return false;
        await file.sync();
      } finally {
        await file.close();
      }
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(draft, target);
      // A power cut keeps a file only if its folder is on the disk, and a new folder only if the one above is.
      for (let folder = dirname(target); folder !== dirname(root); folder = dirname(folder))
        await syncFolder(folder);
      return true;
    } finally {
      await rm(draft, { force: true });
    }
  }

  return {
    async signUpload(path, { type, bytes, seconds }) {
      return urls.sign('PUT', mediaKey(path), seconds, { type, bytes: String(bytes) });
    },

    async signDownload(path, seconds) {
      return urls.sign('GET', mediaKey(path), seconds, { type: '', bytes: '' });
    },

    async get(path, maxBytes) {
      const found = await openStored(fileOf(path));
      if (found === undefined) return undefined;
      const { file, bytes, start } = found;
      try {
        if (bytes > maxBytes) return undefined;
        const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },

    async put(path, body, type) {
      await write(path, type, async (file) => {
        await file.writeFile(body);
        return true;
      });
    },

    async head(path) {
      const found = await openStored(fileOf(path));
      await found?.file.close();
      return found && { bytes: found.bytes, type: found.type };
    },

    async remove(path) {
      await rm(fileOf(path), { force: true });
    },

    async removeAll(path) {
      await rm(fileOf(path), { force: true, recursive: true });
    },

    async *listAll(path) {
      const entries = await readdir(fileOf(path), { recursive: true, withFileTypes: true }).catch((error) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const entry of entries) {
        if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      }
    },

    async receive(address, { type, bytes = 0, body, cancel }) {
      const allowed = urls.verify('PUT', address);
      if (allowed === undefined || type !== allowed.type || String(bytes) !== allowed.bytes) return 'refused';
      const { path } = allowed;
      // A sender who lost the connection tries again. So the newest upload of an address wins.
      for (let earlier = uploads.get(path); earlier !== undefined; earlier = uploads.get(path)) {
        earlier.cancel();
        await earlier.ended;
      }
      if (uploading + bytes > UPLOADING_MAX_BYTES) return 'busy';
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      uploads.set(path, { cancel, ended });
      uploading += bytes;
      try {
        return (await write(path, type, (file) => writeExactly(file, body, bytes))) ? 'stored' : 'refused';
      } finally {
        uploading -= bytes;
        uploads.delete(path);
        end();
      }
    },

    async open(address) {
      const allowed = urls.verify('GET', address);
      if (allowed === undefined) return 'refused';
      const found = await openStored(fileOf(allowed.path));
      if (found === undefined) return undefined;
      const { file, bytes, type, start } = found;
      return { path: allowed.path, bytes, type, body: file.createReadStream({ start }) };
    },
  };
}

type Terms = { type: string; bytes: string };

/** Signs and verifies URLs. The signature covers method, path, expiry, type and size. */
function signedUrls(config: Pick<Config, 'publicUrl' | 'secret' | 'secretPrevious'>, clock: Clock) {
  const keys = keysFor(config, 'media address') as [KeyObject, ...KeyObject[]];
  const signature = (method: string, path: string, expires: string, { type, bytes }: Terms, by = keys[0]) =>
    createHmac('sha256', by)
      .update(JSON.stringify([method, path, expires, type, bytes]))
      .digest('base64url');
  return {
    sign(method: string, path: string, seconds: number, terms: Terms): string {
      const expires = String(clock.now() + seconds * 1_000);
      const url = new URL(PREFIX + path, config.publicUrl);
      url.searchParams.set('expires', expires);
      if (terms.type !== '') url.searchParams.set('type', terms.type);
      if (terms.bytes !== '') url.searchParams.set('bytes', terms.bytes);
      url.searchParams.set('signature', signature(method, path, expires, terms));
      return url.href;
    },
    verify(method: string, address: string): (Terms & { path: string }) | undefined {
      const { pathname, searchParams } = new URL(address, config.publicUrl);
      const path = pathname.slice(PREFIX.length);
      const [expires, type, bytes, given] = ['expires', 'type', 'bytes', 'signature'].map(
        (name) => searchParams.get(name) ?? '',
      ) as [string, string, string, string];
      if (!pathname.startsWith(PREFIX) || !isMediaKey(path)) return undefined;
      if (!isSigned(keys, given, (key) => signature(method, path, expires, { type, bytes }, key)))
        return undefined;
      return Number(expires) > clock.now() ? { path, type, bytes } : undefined;
    },
  };
}

async function writeExactly(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<boolean> {
  let written = 0;
  for await (const chunk of body) {
    written += chunk.length;
    if (written > bytes) return false;
    await file.writeFile(chunk);
  }
  return written === bytes;
}

async function openStored(name: string) {
  const file = await openIfExists(name);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_MAX), 0, HEADER_MAX, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    if (end < 0) throw new Error('a file in the media folder has an unknown format');
    const { size } = await file.stat();
    return { file, type: buffer.toString('latin1', 0, end), start: end + 1, bytes: size - end - 1 };
  } catch (error) {
    await file.close();
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function openIfExists(name: string): Promise<FileHandle | undefined> {
  try {
    return await open(name, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** No such file, or a folder. */
function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** So that the new name survives a power failure. */
async function syncFolder(name: string): Promise<void> {
  const folder = await open(name, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A process may crash at any time, and a partial upload must not outlive the erasure of its conversation. */
function sweepHourly(folder: string, clock: Clock): void {
  repeatEvery(clock, DRAFT_LIFE_MS, () =>
    // After a failure, it tries again in an hour.
    sweepDrafts(folder, clock.now() - DRAFT_LIFE_MS).catch(() => {}),
  );
}

/** Removes partial files that a crash left. Recent ones may belong to a running process. */
async function sweepDrafts(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const draft = join(folder, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < before) await rm(draft, { force: true });
  }
}
