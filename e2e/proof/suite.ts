import { stopEngines } from '../../tools/engines/engines.ts';
import { describeVerdict } from './check.ts';
import { failedProperties, type Verdict } from './checker.ts';
import { killGateways } from './gatewayProcess.ts';

/** Findings to print per broken property. */
const EXAMPLES = 3;
const EXAMPLE_LENGTH = 240;

/** Shared by the suites: prints, counts and cleans up. */
export class Suite {
  readonly #began = performance.now();
  readonly #leaving: (() => Promise<void>)[] = [];
  #passed = 0;
  #failed = 0;

  readonly log = (line: string): void => {
    const seconds = (performance.now() - this.#began) / 1_000;
    console.log(`[${seconds.toFixed(0).padStart(4)} s] ${line}`);
  };

  /** For what must end with the suite, also if it is interrupted. */
  onLeave(end: () => Promise<void>): void {
    this.#leaving.push(end);
  }

  tally(holds: boolean): void {
    if (holds) this.#passed += 1;
    else this.#failed += 1;
  }

  /** For an honest run. Every property is one test. */
  evaluate<P extends string>(verdict: Verdict, live: Record<P, string[]>, texts: Record<P, string>): void {
    console.log(describeVerdict(verdict));
    for (const name of Object.keys(texts) as P[]) {
      const found = live[name];
      console.log(`${found.length === 0 ? 'ok    ' : 'BROKEN'} ${texts[name]}`);
      this.examples(found);
      this.tally(found.length === 0);
    }
    const broken = failedProperties(verdict);
    for (const name of verdict.judged) this.tally(!broken.includes(name));
  }

  /** For a sabotaged run. It passes if the property broke. */
  expectCaught(name: string, found: string[], property: string): void {
    const caught = found.length > 0;
    console.log(
      `${caught ? 'ok    ' : 'BROKEN'} sabotage ${name} is caught ${found.length} times (${property})`,
    );
    this.tally(caught);
  }

  examples(found: string[]): void {
    for (const example of found.slice(0, EXAMPLES))
      console.log(`         ${example.slice(0, EXAMPLE_LENGTH)}`);
  }

  /** Runs the suite, prints the count, stops the engines and exits. */
  async run(
    main: () => Promise<void>,
    engines: { instances: readonly string[]; keep: boolean },
  ): Promise<never> {
    const leave = async (code: number): Promise<never> => {
      killGateways();
      for (const end of this.#leaving) await end().catch(console.error);
      if (!engines.keep)
        for (const instance of engines.instances) await stopEngines({ instance }).catch(console.error);
      process.exit(code);
    };
    process.on('exit', killGateways);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        console.error(`Ended by ${signal}.`);
        void leave(1);
      });
    process.once('uncaughtException', (error) => {
      console.error(error);
      void leave(1);
    });
    await main().catch((error: unknown) => {
      console.error(error);
      this.#failed += 1;
    });
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return leave(this.#failed === 0 ? 0 : 1);
  }
}

/** The requested sabotage, none, or all. */
export function chosenSabotages<N extends string>(
  all: Record<N, unknown>,
  asked: { sabotage?: string | undefined; 'honest-only': boolean },
): N[] {
  const names = Object.keys(all) as N[];
  if (asked.sabotage === undefined) return asked['honest-only'] ? [] : names;
  const chosen = names.filter((name) => name === asked.sabotage);
  if (chosen.length === 0)
    throw new Error(`There is no sabotage ${asked.sabotage}. There are: ${names.join(', ')}`);
  return chosen;
}
