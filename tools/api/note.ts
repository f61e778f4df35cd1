import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import type { CallName } from '../../protocol/src/calls/http.ts';

export type CallNote = {
  summary: string;
  /** Besides those that its kind of caller, its body and an outage bring along: see refusals.ts. */
  refused?: readonly ErrorCode[];
  /** The cookie that it hears, where one speaks for the caller. */
  cookie?: 'visitorCookie' | 'staffCookie';
  /** How often it may be asked. */
  rate?: string;
};
export type AreaNotes = Record<string, Partial<Record<CallName, CallNote>>>;
