import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isFull } from '../../tools/fullSize.ts';
import type { Suite } from '../proof/suite.ts';

const RESULT = resolve(import.meta.dirname, '../../.settee/guarantees/result.json');

type Part = { name: string; seconds: number; passed: number; failed: number; figures: string[] };

/** Prints checks and figures, and writes them to a file that the report of the nightly run reads. */
export class Report {
  readonly #suite: Suite;
  readonly #parts: Part[] = [];

  constructor(suite: Suite) {
    this.#suite = suite;
  }

  async part(name: string, run: (report: Report) => Promise<void>): Promise<void> {
    this.#suite.log(name);
    const part: Part = { name, seconds: 0, passed: 0, failed: 0, figures: [] };
    this.#parts.push(part);
    const began = performance.now();
    try {
      await run(this);
    } catch (error) {
      console.error(error);
      this.check(`${name} ran to its end`, [String(error)]);
    }
    part.seconds = Math.round((performance.now() - began) / 1_000);
    await this.#write();
  }

  /** One test. It passes without findings. */
  check(text: string, findings: string[]): void {
    const holds = findings.length === 0;
    console.log(`${holds ? 'ok    ' : 'BROKEN'} ${text}`);
    this.#suite.examples(findings);
    this.#suite.tally(holds);
    const part = this.#parts.at(-1);
    if (part === undefined) return;
    if (holds) part.passed += 1;
    else part.failed += 1;
  }

  figure(text: string): void {
    console.log(`  ${text}`);
    this.#parts.at(-1)?.figures.push(text);
  }

  log(text: string): void {
    this.#suite.log(text);
  }

  async #write(): Promise<void> {
    await mkdir(dirname(RESULT), { recursive: true });
    const result = { suite: 'guarantees', full: isFull, parts: this.#parts };
    await writeFile(RESULT, `${JSON.stringify(result, undefined, 2)}\n`);
  }
}
