import { errors } from '@settee/protocol/calls/errors';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { fillText, type TextValues } from '@settee/protocol/texts/fillText';
import type { LimitName } from '../limits/table.ts';

/** Thrown when a request is not accepted. HTTP and the socket turn it into an answer or a `refused` frame. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Seconds until another attempt can succeed, if known. */
  readonly retryAfter: number | undefined;
  /** The limit that was reached. */
  readonly limit: LimitName | undefined;
  /** The English text and its values, to be translated for the reader. */
  readonly text: string;
  readonly values: TextValues;
  constructor(
    code: ErrorCode,
    text: string = errors[code].text,
    { retryAfter, limit, values = {} }: { retryAfter?: number; limit?: LimitName; values?: TextValues } = {},
  ) {
    super(fillText(text, values, 'en'));
    this.name = 'Refusal';
    this.code = code;
    this.text = text;
    this.values = values;
    this.retryAfter = retryAfter;
    this.limit = limit;
  }
}
