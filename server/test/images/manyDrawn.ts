import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Answer, readAnswer } from '../../src/images/answer.ts';
import type { Kind } from '../../src/images/kinds.ts';

const SCRIPT = join(import.meta.dirname, 'drawMany.ts');

/** Draws many files in one process. If a file kills the process, the result is `died` and a new process starts. */
export class ManyDrawn {
  #child: ChildProcess | undefined;

  async draw(file: Uint8Array, kind: Kind): Promise<Answer | 'died' | 'nonsense'> {
    this.#child ??= fork(SCRIPT, { env: {}, stdio: 'ignore', serialization: 'advanced' });
    const child = this.#child;
    const over = new AbortController();
    try {
      child.send(file);
      const [answer] = await Promise.race([
        once(child, 'message', { signal: over.signal }),
        once(child, 'exit', { signal: over.signal }).then(() => ['died']),
      ]);
      if (answer === 'died') {
        this.#child = undefined;
        return 'died';
      }
      return answer instanceof Uint8Array
        ? (readAnswer(Buffer.from(answer), kind) ?? 'nonsense')
        : 'nonsense';
    } finally {
      over.abort();
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
