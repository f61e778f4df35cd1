import { closingLine } from '../../tools/check/counts.ts';
import { stopEngines } from '../../tools/engines/engines.ts';
import { killGateways } from './topology/gatewayProcess.ts';

/** A program that checks something: prints, counts and cleans up. */
export class Suite {
  readonly #began = performance.now();
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  readonly log = (line: string): void => {
    const seconds = (performance.now() - this.#began) / 1_000;
    console.log(`[${seconds.toFixed(0).padStart(4)} s] ${line}`);
  };

  tally(holds: boolean): void {
    this.add(holds ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }

  skip(reason: string): void {
    this.#skipped += 1;
    console.log(`  skipped ${reason}`);
  }

  add({ passed, failed }: { passed: number; failed: number }): void {
    this.#passed += passed;
    this.#failed += failed;
  }

  /** Runs the program, prints the count, stops what was started, also if it is interrupted, and exits. */
  async run(
    main: () => Promise<void>,
    started: { instances?: readonly string[]; keep?: boolean; leave?: () => Promise<void> },
  ): Promise<never> {
    const { instances = [], keep = false } = started;
    const leave = async (code: number): Promise<never> => {
      killGateways();
      await started.leave?.();
      if (!keep) for (const instance of instances) await stopEngines({ instance }).catch(console.error);
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
    console.log(closingLine({ passed: this.#passed, failed: this.#failed, skipped: this.#skipped }));
    return leave(this.#failed === 0 ? 0 : 1);
  }
}
