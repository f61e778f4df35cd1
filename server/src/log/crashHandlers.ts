import { BadConfig } from '../config/config.ts';
import { explainUnreachable } from '../db/engine/databaseErrors.ts';
import { LeaseTaken } from '../live/lease.ts';
import { type Log, reason, stackOf } from './log.ts';
import { scrub } from './scrub.ts';

/** What ends the process unforeseen is told as everything is: Node itself would print the error with all that it holds. */
export function installCrashHandlers(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error({ reason: reason(error), stack: stackOf(error) }, 'ended by a mistake');
    process.exit(1);
  });
}

/** It could not start, or not end. Before there is a log, and for a person to read. */
export function fail(error: unknown): never {
  const plain = error instanceof BadConfig || error instanceof LeaseTaken;
  const told = plain ? error.message : inOneLine(error);
  console.error(told ?? `${scrub(reason(error))}\n${stackOf(error)}`);
  process.exit(1);
}

/** For what an operator can put right: what is wrong, and how. Undefined for a mistake of ours. */
export function inOneLine(error: unknown): string | undefined {
  const { code, port, errors } = error as { code?: unknown; port?: number; errors?: unknown[] };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Stop what uses it, or set another one.`;
  // Node tries all addresses of a name, and says only of each what went wrong.
  const first = typeof code === 'string' ? code : (errors?.[0] as { code?: unknown } | undefined)?.code;
  const explained = typeof first === 'string' ? explainUnreachable(first, 'PostgreSQL') : undefined;
  return explained && `${explained[0]}. ${explained[1]}`;
}
