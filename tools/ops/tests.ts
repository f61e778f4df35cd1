// Runs the tests of the step one after another. A failed test does not stop the others.
import { type Counts, closingLine } from '../check/counts.ts';

export class Tests {
  readonly #counts: Counts = { passed: 0, failed: 0, skipped: 0 };

  async run<T>(title: string, body: () => Promise<T> | T): Promise<T | undefined> {
    const began = performance.now();
    const took = (): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    try {
      const result = await body();
      this.#counts.passed += 1;
      console.log(`ok      ${title} (${took()})`);
      return result;
    } catch (error) {
      this.#counts.failed += 1;
      console.log(`FAILED  ${title} (${took()})\n${String((error as Error).stack)}`);
      return undefined;
    }
  }

  skip(title: string, reason: string): void {
    this.#counts.skipped += 1;
    console.log(`skipped ${title}: ${reason}`);
  }

  /** Prints the last line. Returns whether all tests passed. */
  close(): boolean {
    console.log(closingLine(this.#counts));
    return this.#counts.failed === 0 && this.#counts.passed > 0;
  }
}
