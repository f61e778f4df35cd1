/** GIF's LZW. Colours and runs of colours are written as codes of 3 to 12 bits, lowest bit first. */

const CODE_BITS_MAX = 12;
const CODES_MAX = 2 ** CODE_BITS_MAX;

/** The colours of a frame of so many pixels; undefined if the data is damaged, too short or too long for it. */
export function unpackLzw(data: Uint8Array, colourBits: number, pixels: number): Uint8Array | undefined {
  const clear = 2 ** colourBits;
  const end = clear + 1;
  const out = new Uint8Array(pixels);
  let written = 0;
  // A code's run is a piece of `out`: every new code means the run before it and the colour behind that.
  const starts = new Uint32Array(CODES_MAX);
  const lengths = new Uint32Array(CODES_MAX);
  let next = end + 1;
  let bits = colourBits + 1;
  let before = 0;
  let held = 0;
  let heldBits = 0;
  for (const byte of data) {
    held |= byte << heldBits;
    heldBits += 8;
    while (heldBits >= bits) {
      const code = held & (2 ** bits - 1);
      held >>>= bits;
      heldBits -= bits;
      if (code === end) return written === pixels ? out : undefined;
      if (code === clear) {
        next = end + 1;
        bits = colourBits + 1;
        before = 0;
        continue;
      }
      if (before > 0 && next < CODES_MAX) {
        starts[next] = written - before;
        lengths[next] = before + 1;
        next += 1;
        if (next === 2 ** bits && bits < CODE_BITS_MAX) bits += 1;
      }
      const length = code < clear ? 1 : (lengths[code] ?? 0);
      if (code >= next || written + length > pixels) return undefined;
      if (code < clear) out[written] = code;
      // Forwards, byte by byte: the newest code's run reaches one colour into what is being written here.
      else
        for (let from = starts[code] ?? 0, i = 0; i < length; i += 1) out[written + i] = out[from + i] ?? 0;
      written += length;
      before = length;
    }
  }
  // Some programs leave the end out once all is said.
  return written === pixels ? out : undefined;
}

const CODES = new Uint16Array(CODES_MAX * 256);

export function packLzw(colours: Uint8Array, colourBits: number): Uint8Array {
  const clear = 2 ** colourBits;
  const end = clear + 1;
  // At worst a code for each pixel, and a clear for each tableful of them.
  const out = new Uint8Array(Math.ceil(colours.length * (CODE_BITS_MAX / 8 + 1 / 1_024)) + 16);
  let written = 0;
  let held = 0;
  let heldBits = 0;
  let bits = colourBits + 1;
  let next = end + 1;
  const write = (code: number): void => {
    held |= code << heldBits;
    for (heldBits += bits; heldBits >= 8; heldBits -= 8) {
      out[written] = held & 0xff;
      written += 1;
      held >>>= 8;
    }
  };
  CODES.fill(0);
  write(clear);
  let run = colours[0] ?? 0;
  for (let i = 1; i < colours.length; i += 1) {
    const colour = colours[i] ?? 0;
    const longer = run * 256 + colour;
    const known = CODES[longer] ?? 0;
    if (known > 0) {
      run = known;
      continue;
    }
    write(run);
    if (next === CODES_MAX) {
      write(clear);
      CODES.fill(0);
      bits = colourBits + 1;
      next = end + 1;
    } else {
      if (next === 2 ** bits) bits += 1;
      CODES[longer] = next;
      next += 1;
    }
    run = colour;
  }
  write(run);
  if (next === 2 ** bits && bits < CODE_BITS_MAX) bits += 1;
  write(end);
  if (heldBits > 0) {
    out[written] = held;
    written += 1;
  }
  return out.subarray(0, written);
}
