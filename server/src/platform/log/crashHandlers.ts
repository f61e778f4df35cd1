import { BadConfig } from '../config/config.ts';
import { explainUnreachable } from '../db/databaseErrors.ts';
import { LeaseTaken } from '../db/gatewayLease.ts';
import { UnsafeDatabase } from '../db/requireDisk.ts';
import { createLog, type Log, reason, stackOf } from './log.ts';
import { scrub } from './scrub.ts';

/** Logs an uncaught error and exits. Node itself would print the error with all its properties. */
export function installCrashHandlers(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error({ reason: reason(error), stack: stackOf(error) }, 'uncaught error');
    process.exit(1);
  });
}

/** Says why the process could not start, and exits: to a person in a terminal as text, otherwise as lines of the log. */
export function exitWithError(error: unknown): never {
  const readable = [BadConfig, LeaseTaken, UnsafeDatabase].some((kind) => error instanceof kind);
  const text = readable ? (error as Error).message : explainForOperator(error);
  if (process.stderr.isTTY) console.error(text ?? `${scrub(reason(error))}\n${stackOf(error)}`);
  else {
    const log = createLog('fatal');
    const problems = error instanceof BadConfig ? error.problems : [text];
    for (const problem of problems)
      log.fatal(
        problem === undefined ? { reason: reason(error), stack: stackOf(error) } : { problem },
        'cannot start',
      );
  }
  process.exit(1);
}

/** What is wrong and how to fix it, for errors that an operator can fix; otherwise undefined. */
export function explainForOperator(error: unknown): string | undefined {
  const { code, port, errors } = error as { code?: unknown; port?: number; errors?: unknown[] };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the program that uses it, or set another port.`;
  // After trying several addresses Node reports an error for each.
  const first = typeof code === 'string' ? code : (errors?.[0] as { code?: unknown } | undefined)?.code;
  const explained = typeof first === 'string' ? explainUnreachable(first, 'PostgreSQL') : undefined;
  return explained && `${explained[0]}. ${explained[1]}`;
}
