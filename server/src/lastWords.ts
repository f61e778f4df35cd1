import { BadConfig } from './config.ts';
import { PlaceTaken } from './lease.ts';
import { type Log, reason, stackOf } from './log.ts';
import { scrub } from './scrub.ts';

/** What ends the process unforeseen is told as everything is: Node itself would print the error with all that it holds. */
export function tellLastWords(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error({ reason: reason(error), stack: stackOf(error) }, 'ended by a mistake');
    process.exit(1);
  });
}

/** It could not start, or not end. Before there is a log, and for a person to read. */
export function fail(error: unknown): never {
  const plain = error instanceof BadConfig || error instanceof PlaceTaken;
  console.error(plain ? error.message : `${scrub(reason(error))}\n${stackOf(error)}`);
  process.exit(1);
}
