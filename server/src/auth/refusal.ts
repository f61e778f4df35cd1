import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import { errors } from '@settee/protocol/calls/errors';

/** Thrown when a request is not accepted. HTTP and the socket turn it into an answer or a `refused` frame. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, text: string = errors[code].text) {
    super(text);
    this.name = 'Refusal';
    this.code = code;
  }
}
