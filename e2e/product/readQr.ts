import sharp from 'sharp';

type Code = { text: string; level: 'L' | 'M' | 'Q' | 'H'; quietZone: number; pixels: number };

/** Blocks, and data bytes per block, of level M, by version. Only the versions that links need. */
const BLOCKS: Record<number, [blocks: number, bytes: number]> = {
  3: [1, 44],
  4: [2, 32],
  5: [2, 43],
  6: [4, 27],
};
const LEVELS = ['M', 'L', 'H', 'Q'] as const;
const FORMAT_MASK = 0b101010000010010;
const BYTE_MODE = 0b0100;

/** Pixels at the edge of a screenshot that may show the page beside the code. */
const EDGE_PX = 2;

const MASKS: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * Reads a clean, upright QR code from an image without error correction: one wrong module makes the text wrong. It
 * shares no code with the QR generator.
 */
export async function readQr(picture: Buffer): Promise<Code> {
  const { modules, quietZone, pixels } = await modulesOf(picture);
  const size = modules.length;
  const version = (size - 17) / 4;
  const dark = (x: number, y: number): boolean => modules[y]?.[x] === true;
  const format = readFormat(dark) ^ FORMAT_MASK;
  const mask = MASKS[(format >> 10) & 0b111];
  const shape = BLOCKS[version];
  if (mask === undefined || shape === undefined) throw new Error(`no code of version ${version}`);

  const bits: number[] = [];
  for (const [x, y] of path(size)) {
    if (!isFixed(x, y, size)) bits.push(Number(dark(x, y) !== (mask(x, y) === 0)));
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  );
  return { text: textOf(inOrder(words, shape)), level: LEVELS[format >> 13] ?? 'L', quietZone, pixels };
}

/** Undoes the interleaving: the first bytes of all blocks come first, then the second ones. */
function inOrder(words: number[], [blocks, bytes]: [number, number]): number[] {
  return Array.from({ length: blocks * bytes }, (_, index) => {
    const block = Math.floor(index / bytes);
    return words[(index % bytes) * blocks + block] ?? 0;
  });
}

function textOf(words: number[]): string {
  const bits = words.map((word) => word.toString(2).padStart(8, '0')).join('');
  const number = (from: number, length: number) => Number.parseInt(bits.slice(from, from + length), 2);
  if (number(0, 4) !== BYTE_MODE) throw new Error('the code holds no bytes');
  const length = number(4, 8);
  return Buffer.from(Array.from({ length }, (_, index) => number(12 + index * 8, 8))).toString();
}

function readFormat(dark: (x: number, y: number) => boolean): number {
  const places: [number, number][] = [];
  for (let at = 0; at < 6; at += 1) places.push([8, at]);
  places.push([8, 7], [8, 8], [7, 8]);
  for (let at = 9; at < 15; at += 1) places.push([14 - at, 8]);
  return places.reduce((format, [x, y], bit) => format | (Number(dark(x, y)) << bit), 0);
}

/** Two columns at a time from the right, alternately up and down, without the timing column. */
function* path(size: number): Generator<[number, number]> {
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      yield [right, y];
      yield [right - 1, y];
    }
  }
}

/** The function patterns of this size: finders with their separators, timing, alignment. */
function isFixed(x: number, y: number, size: number): boolean {
  const corner = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const aligned = Math.abs(x - (size - 7)) <= 2 && Math.abs(y - (size - 7)) <= 2;
  return corner || aligned || x === 6 || y === 6;
}

async function modulesOf(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .flatten()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const dark = (x: number, y: number): boolean => (data[(y * width + x) * channels] ?? 255) < 128;
  let [left, top, right] = [width, height, 0];
  for (let y = EDGE_PX; y < height - EDGE_PX; y += 1) {
    for (let x = EDGE_PX; x < width - EDGE_PX; x += 1) {
      if (!dark(x, y)) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
    }
  }
  // The edge of a finder is seven dark modules.
  let edge = left;
  while (dark(edge, top)) edge += 1;
  const rough = (edge - left) / 7;
  const size = Math.round((right + 1 - left) / rough);
  const module = (right + 1 - left) / size;
  const modules = Array.from({ length: size }, (_row, y) =>
    Array.from({ length: size }, (_cell, x) =>
      dark(Math.floor(left + (x + 0.5) * module), Math.floor(top + (y + 0.5) * module)),
    ),
  );
  return { modules, quietZone: Math.round(left / module), pixels: width };
}
