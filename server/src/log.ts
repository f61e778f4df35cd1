import { pino } from 'pino';

/** Structured logs. Callers name every field they log: no request, header, URL or text is ever passed whole. */
export type Log = {
  info(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  error(fields: LogFields, event: string): void;
};

type LogFields = Record<string, string | number | boolean | undefined>;

export function createLog(level: string): Log {
  return pino({ level, base: null });
}

/** An error's message without what it might quote: enough to find the line, safe to keep. */
export function reason(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
