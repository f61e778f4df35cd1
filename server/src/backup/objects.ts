import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import * as v from 'valibot';
import { forEachConcurrently } from '../platform/limits/concurrency.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { digestFile, newFile } from './fileDigest.ts';
import { plainFile } from './folder.ts';
import {
  BadBackup,
  type Manifest,
  OBJECT_LIST,
  objectFile,
  StoredLine,
  type StoredObject,
} from './manifest.ts';

/** Objects copied at once. Each is an image of a few megabytes. */
const AT_ONCE = 4;

type Objects = Manifest['objects'];

/**
 * Copies the listed objects (path, type, bytes, whether it must exist) from the store. Objects never change, so
 * copying them after the rows is safe. Objects deleted meanwhile are left out.
 */
export async function copyObjects(
  folder: string,
  wanted: string,
  { media, stillWanted }: { media: MediaStore; stillWanted(path: string): Promise<boolean> },
): Promise<Objects> {
  const list = newFile(join(folder, OBJECT_LIST));
  // Created early: a full disk may fail at any time, and the error is handled where this is awaited.
  const written = finished(list);
  written.catch(() => {});
  const objects = { count: 0, bytes: 0, lost: [] as string[] };
  try {
    await forEachConcurrently(linesOf(wanted), AT_ONCE, async (line) => {
      const [path = '', type = '', size = '', expected] = line.split('\t');
      const body = await media.get(path, Number(size));
      if (body === undefined) {
        if (expected === 't' && (await stillWanted(path))) objects.lost.push(path);
        return;
      }
      const file = join(folder, objectFile(path));
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, body, { flag: 'wx', mode: 0o600, flush: true });
      objects.count += 1;
      objects.bytes += body.length;
      const object: StoredObject = { path, type, bytes: body.length, sha256: digestOf(body) };
      if (!list.write(`${JSON.stringify(object)}\n`)) await Promise.race([once(list, 'drain'), written]);
    });
    list.end();
    await written;
  } catch (error) {
    list.destroy();
    await written.catch(() => {});
    throw error;
  }
  return { ...objects, list: await digestFile(join(folder, OBJECT_LIST)) };
}

export async function checkObjects(
  folder: string,
  problem: (text: string) => void,
): Promise<{ count: number; bytes: number }> {
  let [count, bytes] = [0, 0];
  await forEachConcurrently(storedObjects(folder), AT_ONCE, async ({ path, ...expected }) => {
    const found = await plainFile(folder, objectFile(path))
      .then(digestFile)
      .catch(() => undefined);
    count += 1;
    bytes += expected.bytes;
    if (found === undefined) problem(`the object ${path} is missing, or no plain file`);
    else if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256)
      problem(`the object ${path} was changed`);
  });
  return { count, bytes };
}

/** Uploads all objects and reads them back. Identical objects in the store are kept. */
export async function putObjects(folder: string, media: MediaStore): Promise<{ put: number; kept: number }> {
  const done = { put: 0, kept: 0 };
  await forEachConcurrently(storedObjects(folder), AT_ONCE, async ({ path, type, bytes, sha256 }) => {
    const isThere = async (): Promise<boolean> => {
      const found = await media.get(path, bytes);
      return found !== undefined && found.length === bytes && digestOf(found) === sha256;
    };
    if (await isThere()) {
      done.kept += 1;
      return;
    }
    await media.put(path, await readFile(await plainFile(folder, objectFile(path))), type);
    if (!(await isThere())) throw new Error(`the store does not give back what was put at ${path}`);
    done.put += 1;
  });
  return done;
}

async function* storedObjects(folder: string): AsyncGenerator<StoredObject> {
  for await (const line of linesOf(await plainFile(folder, OBJECT_LIST))) {
    const object = v.safeParse(StoredLine, line);
    if (!object.success) throw new BadBackup(`${OBJECT_LIST} has a line that no backup of ours has.`);
    yield object.output;
  }
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
