import type { Down } from '@settee/protocol/frames/down';

/** Encoded once, sent to many: rooms and the bus carry these bytes as they are. */
export function encode(frame: Down): Buffer {
  return Buffer.from(JSON.stringify(frame));
}
