const SIGNATURE_BYTES = 8;
/** Length, name and check sum. */
const AROUND_BYTES = 12;
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** A PNG that sharp wrote, without what is no pixel: it passes on how many dots to the inch the sender's file claimed. */
export function pngPixels(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_BYTES)];
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= png.length; ) {
    const end = at + AROUND_BYTES + png.readUInt32BE(at);
    if (KEPT.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
