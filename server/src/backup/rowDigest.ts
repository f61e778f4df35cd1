import { hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

const LINE_END = 0x0a;
const WORDS = 8;

/**
 * Counts and digests rows in COPY's text format, one per line. The digest is the sum of the rows' SHA-256, so it does
 * not depend on their order.
 */
export class RowDigest extends Transform {
  rows = 0;
  readonly #sum = new Uint32Array(WORDS);
  /** The start of an incomplete line. */
  #begun: Buffer[] = [];

  get digest(): string {
    return Array.from(this.#sum, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.#add(this.#wholeLine(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from < chunk.length) this.#begun.push(chunk.subarray(from));
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.#begun.length > 0 ? new Error('the last row is cut off') : null);
  }

  #wholeLine(end: Buffer): Buffer {
    if (this.#begun.length === 0) return end;
    const line = Buffer.concat([...this.#begun, end]);
    this.#begun = [];
    return line;
  }

  #add(line: Buffer): void {
    const digest = hash('sha256', line, 'buffer');
    let carry = 0;
    for (let word = WORDS - 1; word >= 0; word -= 1) {
      const sum = (this.#sum[word] ?? 0) + digest.readUInt32BE(word * 4) + carry;
      this.#sum[word] = sum;
      carry = sum > 0xffff_ffff ? 1 : 0;
    }
    this.rows += 1;
  }
}
