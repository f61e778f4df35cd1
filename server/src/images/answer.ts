import { type Kind, kindOf } from './kinds.ts';
import { OUTPUT_MAX_BYTES, SIDE_MAX } from './limits.ts';

/** Why an image is refused, for the log. Never contains data of the file. */
export const REASONS = ['too many pixels', 'too many frames', 'not decodable', 'output too large'] as const;
export type Reason = (typeof REASONS)[number];

export type Picture = { width: number; height: number; thumbhash: string; bytes: Uint8Array };
export type Answer = { picture: Picture } | { reason: Reason };

const LENGTH_BYTES = 4;
const HEAD_MAX_BYTES = 1_024;
export const ANSWER_MAX_BYTES = LENGTH_BYTES + HEAD_MAX_BYTES + OUTPUT_MAX_BYTES;
/** At most 25 bytes, for an image with transparency. */
const THUMBHASH = /^[A-Za-z0-9+/]{4,48}={0,2}$/;

/** Length of the head, the head as JSON, the image's bytes. */
export function writeAnswer(answer: Answer): Uint8Array[] {
  const { bytes, ...rest } = 'picture' in answer ? answer.picture : { bytes: new Uint8Array(), ...answer };
  const head = Buffer.from(JSON.stringify({ ...rest, length: bytes.length }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return [length, head, bytes];
}

/** Validates everything: the writer has decoded an untrusted file. */
export function readAnswer(output: Buffer, kind: Kind): Answer | undefined {
  if (output.length < LENGTH_BYTES) return undefined;
  const headEnd = LENGTH_BYTES + output.readUInt32BE();
  if (headEnd > LENGTH_BYTES + HEAD_MAX_BYTES || headEnd > output.length) return undefined;
  const head = parsed(output.toString('utf8', LENGTH_BYTES, headEnd));
  const bytes = output.subarray(headEnd);
  if (head === undefined || head.length !== bytes.length) return undefined;
  const reason = REASONS.find((known) => known === head.reason);
  if (reason !== undefined) return bytes.length === 0 ? { reason } : undefined;
  const { width, height, thumbhash } = head;
  if (kindOf(bytes) !== kind || bytes.length > OUTPUT_MAX_BYTES) return undefined;
  if (!isSide(width) || !isSide(height)) return undefined;
  if (typeof thumbhash !== 'string' || !THUMBHASH.test(thumbhash)) return undefined;
  return { picture: { width, height, thumbhash, bytes } };
}

function isSide(side: unknown): side is number {
  return typeof side === 'number' && Number.isInteger(side) && side >= 1 && side <= SIDE_MAX;
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
