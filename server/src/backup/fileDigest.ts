import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform, type TransformCallback, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Pace } from './pace.ts';
import { RowDigest } from './rowDigest.ts';

export type FileDigest = { bytes: number; sha256: string };
export type RowsDigest = { rows: number; digest: string };

class Hashing extends Transform {
  #bytes = 0;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Call it once, after the last byte. */
  result(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Only readable by its owner; flushed to disk when closed. */
export function newFile(file: string): WriteStream {
  return createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
}

/** Streams rows from COPY into a compressed file, with rests. */
export async function writeRows(file: string, rows: Readable): Promise<RowsDigest & { file: FileDigest }> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const [counted, hashed] = [new RowDigest(), new Hashing()];
  await pipeline(rows, new Pace(), counted, createZstdCompress(), hashed, newFile(file));
  return { rows: counted.rows, digest: counted.digest, file: hashed.result() };
}

/** Streams the rows of a file into `into`, and returns their digests. */
export async function readRows(
  file: string,
  into: NodeJS.WritableStream,
): Promise<RowsDigest & { file: FileDigest }> {
  const [counted, hashed] = [new RowDigest(), new Hashing()];
  await pipeline(createReadStream(file), hashed, createZstdDecompress(), counted, into);
  return { rows: counted.rows, digest: counted.digest, file: hashed.result() };
}

/** Digests rows without storing them. */
export async function digestRows(rows: Readable): Promise<RowsDigest> {
  const counted = new RowDigest();
  await pipeline(rows, counted, discard());
  return { rows: counted.rows, digest: counted.digest };
}

export async function digestFile(file: string): Promise<FileDigest> {
  const hashed = new Hashing();
  await pipeline(createReadStream(file), hashed, discard());
  return hashed.result();
}

export function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
