/** Final frame of a text message, unmasked (RFC 6455, section 5.2). */
const TEXT = 0x81;
/** Markers in the second byte: the length follows in two, or in eight, more bytes. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** The payloads as WebSocket frames of a server, in one buffer. */
export function textFrames(payloads: readonly Buffer[]): Buffer {
  let size = 0;
  for (const { length } of payloads) size += headSize(length) + length;
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const payload of payloads) {
    at = writeHead(frames, at, payload.length);
    at += payload.copy(frames, at);
  }
  return frames;
}

function headSize(length: number): number {
  if (length < LENGTH_16) return 2;
  return length <= 0xffff ? 4 : 10;
}

function writeHead(frames: Buffer, at: number, length: number): number {
  frames[at] = TEXT;
  if (length < LENGTH_16) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length <= 0xffff) {
    frames[at + 1] = LENGTH_16;
    return frames.writeUInt16BE(length, at + 2);
  }
  frames[at + 1] = LENGTH_64;
  return frames.writeBigUInt64BE(BigInt(length), at + 2);
}
