import { type DestinationStream, pino } from 'pino';
import { allowedFields, type LogFields } from './logFields.ts';

/** Structured logs with a fixed list of fields, so that no request, header, URL or text is logged by accident. */
export type Log = {
  info(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  error(fields: LogFields, event: string): void;
};

/** Events are constant strings. Only fields vary. Each line of one of several gateways has its number. */
export function createLog(
  level: string,
  { gateway, to }: { gateway?: number | undefined; to?: DestinationStream } = {},
): Log {
  const options = { level, base: gateway === undefined ? null : { gateway } };
  const out = to === undefined ? pino(options) : pino(options, to);
  return {
    info: (fields, event) => out.info(allowedFields(fields), event),
    warn: (fields, event) => out.warn(allowedFields(fields), event),
    error: (fields, event) => out.error(allowedFields(fields), event),
  };
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
