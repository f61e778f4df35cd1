import { Transform, type TransformCallback } from 'node:stream';

/** Short, so that a message never waits long for the backup. */
const WORK_MS = 10;
/** Rest per work. A busy database answers slowly, which also lengthens the rests. */
const REST = 1;

/**
 * Passes bytes on and rests after each stretch of work, so that PostgreSQL has time for messages. PostgreSQL rests too: it
 * waits until somebody reads what it has sent.
 */
export class Pace extends Transform {
  #since = performance.now();

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const worked = performance.now() - this.#since;
    if (worked < WORK_MS) done(null, chunk);
    else
      setTimeout(() => {
        this.#since = performance.now();
        done(null, chunk);
      }, worked * REST);
  }
}
