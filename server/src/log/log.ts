import { type DestinationStream, pino } from 'pino';
import { allowed, type LogFields } from './logFields.ts';

/** Structured logs. Callers name every field, from a list: no request, header, URL or text is ever passed whole. */
export type Log = {
  info(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  error(fields: LogFields, event: string): void;
};

/** Events are written in the code, word by word; only fields vary. */
export function createLog(level: string, to?: DestinationStream): Log {
  const out = to === undefined ? pino({ level, base: null }) : pino({ level, base: null }, to);
  return {
    info: (fields, event) => out.info(allowed(fields), event),
    warn: (fields, event) => out.warn(allowed(fields), event),
    error: (fields, event) => out.error(allowed(fields), event),
  };
}

/** What kind of error, and its message: for a log, which scrubs it as it does every text. Elsewhere call scrub first. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const kind = typeof code === 'string' && /^[\w-]{1,40}$/.test(code) ? `${error.name} ${code}` : error.name;
  return `${kind}: ${error.message}`;
}

/** Where in the code, without the message that a stack begins with. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const { message, stack } = error;
  const after = stack.indexOf(message);
  const places = after < 0 ? '' : stack.slice(after + message.length);
  return places
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}
