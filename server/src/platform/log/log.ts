import { type DestinationStream, pino } from 'pino';
import { misspelledSettings } from '../config/config.ts';
import { allowedFields, type LogFields } from './logFields.ts';

/** Structured logs with a fixed list of fields, so that no request, header, URL or text is logged by accident. */
export type Log = {
  info(fields: LogFields, event: string): void;
  /** Equal warnings and errors of a minute become one line with a count, so that an outage does not hide the rest. */
  warn(fields: LogFields, event: string): void;
  error(fields: LogFields, event: string): void;
};

/** Events are constant strings. Only fields vary. Each line of one of several gateways has its number. */
export function createLog(
  level: string,
  { gateway, to }: { gateway?: number | undefined; to?: DestinationStream } = {},
): Log & { fatal: Log['error'] } {
  const base = gateway === undefined ? null : { gateway };
  const options = { level, base, timestamp: pino.stdTimeFunctions.isoTime };
  const out = to === undefined ? pino(options) : pino(options, to);
  return {
    info: (fields, event) => out.info(allowedFields(fields), event),
    warn: withoutRepeats((fields, event) => out.warn(fields, event)),
    error: withoutRepeats((fields, event) => out.error(fields, event)),
    fatal: (fields, event) => out.fatal(allowedFields(fields), event),
  };
}

const WINDOW_MS = 60_000;
/** Distinct lines per window that are watched. Further ones are written as they come. */
const DISTINCT_MAX = 1_000;

/** Writes a line at once, and its repetitions of each following minute as one line. */
function withoutRepeats(write: (fields: object, event: string) => void): Log['warn'] {
  const repeats = new Map<string, number>();
  return (given, event) => {
    const fields = allowedFields(given);
    const key = JSON.stringify([event, fields]);
    const known = repeats.get(key);
    if (known !== undefined) return void repeats.set(key, known + 1);
    write(fields, event);
    if (repeats.size >= DISTINCT_MAX) return;
    const endWindow = (): void => {
      const count = repeats.get(key) ?? 0;
      if (count === 0) return void repeats.delete(key);
      write({ ...fields, count }, event);
      startWindow();
    };
    const startWindow = (): void => {
      repeats.set(key, 0);
      setTimeout(endWindow, WINDOW_MS).unref();
    };
    startWindow();
  };
}

/** At the start of a process: such a setting has no effect. */
export function warnOfMisspelled(log: Log): void {
  for (const fields of misspelledSettings()) log.warn(fields, 'unknown setting');
}

/** Name, code and message of an error. The log scrubs it; for any other output call scrub first. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const kind = typeof code === 'string' && /^[\w-]{1,40}$/.test(code) ? `${error.name} ${code}` : error.name;
  return `${kind}: ${error.message}`;
}

/** Runs `work`, and logs its failure as a warning instead of throwing it. */
export async function logFailure(log: Log, event: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ reason: reason(error) }, event);
  }
}

/** The positions of a stack trace, without the message, which may contain secrets. */
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
