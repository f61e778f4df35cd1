import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import { errors } from '@settee/protocol/calls/errors';
import type { LimitName } from '../limits/table.ts';

/** Thrown when a request is not accepted. HTTP and the socket turn it into an answer or a `refused` frame. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Seconds until another attempt can succeed, if known. */
  readonly retryAfter: number | undefined;
  /** The limit that was reached. */
  readonly limit: LimitName | undefined;
  constructor(
    code: ErrorCode,
    text: string = errors[code].text,
    { retryAfter, limit }: { retryAfter?: number; limit?: LimitName } = {},
  ) {
    super(text);
    this.name = 'Refusal';
    this.code = code;
    this.retryAfter = retryAfter;
    this.limit = limit;
  }
}
