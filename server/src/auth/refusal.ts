import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import { errors } from '@settee/protocol/calls/errors';

/** Thrown by actions for what the caller must be told; the doors turn it into an answer or a frame. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, text: string = errors[code].text) {
    super(text);
    this.name = 'Refusal';
    this.code = code;
  }
}
