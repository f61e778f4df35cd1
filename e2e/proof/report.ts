import { failedProperties, properties, type Verdict } from './checks/checker.ts';
import { NOTHING_OBSERVED } from './checks/watched.ts';

/** Findings to print for each check that fails. */
const EXAMPLES = 3;
const EXAMPLE_LENGTH = 240;
const began = performance.now();

/** What a run found. Runs at the same time print one after the other, each when it ends. */
export class Report {
  passed = 0;
  failed = 0;
  /** By the name of the check. */
  readonly found: Record<string, string[]> = {};
  readonly #name: string;
  readonly #lines: string[] = [];
  #error: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Prints what happens now. */
  log(line: string): void {
    const seconds = (performance.now() - began) / 1_000;
    console.log(`[${seconds.toFixed(0).padStart(4)} s] ${this.#name}: ${line}`);
  }

  /** One test. It passes without findings. */
  check(text: string, findings: readonly string[], name = text): void {
    this.found[name] = [...(this.found[name] ?? []), ...findings];
    const holds = findings.length === 0;
    this.#lines.push(`${holds ? 'ok    ' : 'BROKEN'} ${text}`, ...examples(findings));
    if (holds) this.passed += 1;
    else this.failed += 1;
  }

  /** The run ended early, for example because a patch does not apply. */
  ended(what: string, error: unknown): void {
    this.#error = String(error);
    this.check(`${what} runs to its end`, [this.#error]);
  }

  /** The check shows lines that begin with two spaces. */
  figure(text: string): void {
    this.#lines.push(text.replace(/^(?=.)/gm, '  '));
  }

  /** Every property that this history can show is one test. */
  verdict(verdict: Verdict, path = ''): void {
    const { findings, judged, conversations, attempted, acked, stored } = verdict;
    const evidence: Partial<Record<string, string>> = verdict.evidence;
    this.figure(
      `${conversations} conversations, ${attempted} messages written, ${acked} acknowledged, ${stored} stored; lost ${findings.lost.length}, duplicates ${findings.duplicates.length}, gaps ${findings.gaps.length}`,
    );
    for (const name of judged) {
      const observed = evidence[name] === undefined ? '' : ` (${evidence[name]})`;
      this.check(`${properties[name]}${observed}`, findings[name], name);
    }
    if (failedProperties(verdict).length > 0 && path !== '') this.#lines.push(`the history is in ${path}`);
  }

  /** A sabotaged run: every check that the sabotage names must fail. The other checks count for nothing. */
  expectCaught(mustBreak: readonly string[], texts: Record<string, string>): void {
    this.#lines.length = 0;
    this.passed = 0;
    this.failed = 0;
    for (const name of mustBreak) {
      const found = this.caught(name);
      const text = texts[name] ?? (properties as Record<string, string>)[name] ?? name;
      this.#lines.push(...examples(found));
      const check = text === name ? name : `${name}: ${text}`;
      const verb = `is caught ${found.length} times (${check})`;
      this.check(`sabotage ${this.#name} ${verb}`, found.length > 0 ? [] : [this.#error ?? NOTHING_OBSERVED]);
    }
  }

  /** The findings that prove something. */
  caught(name: string): string[] {
    return (this.found[name] ?? []).filter((finding) => finding !== NOTHING_OBSERVED);
  }

  print(): void {
    console.log([`\n${this.#name}`, ...this.#lines, ''].join('\n'));
  }
}

function examples(findings: readonly string[]): string[] {
  const more = findings.length - EXAMPLES;
  return [
    ...findings.slice(0, EXAMPLES).map((finding) => `         ${finding.slice(0, EXAMPLE_LENGTH)}`),
    ...(more > 0 ? [`         and ${more} more`] : []),
  ];
}
