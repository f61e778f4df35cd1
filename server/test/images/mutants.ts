import type { Random } from '../../src/platform/ports/ports.ts';

/** One kind of damage; a file may get several. `other` is a file of another format. */
type Mutation = (file: Buffer, other: Buffer, random: Random) => Buffer;

const flipBits: Mutation = (file, _other, random) => {
  const hurt = Buffer.from(file);
  for (let times = 1 + random.below(12); times > 0; times -= 1) {
    const at = random.below(hurt.length);
    hurt.writeUInt8(hurt.readUInt8(at) ^ (1 << random.below(8)), at);
  }
  return hurt;
};

/** Damages the header, which contains lengths, sizes and counts. */
const flipHead: Mutation = (file, other, random) => {
  const head = Math.min(64, file.length);
  return Buffer.concat([flipBits(file.subarray(0, head), other, random), file.subarray(head)]);
};

const extremes: Mutation = (file, _other, random) => {
  const hurt = Buffer.from(file);
  const at = random.below(hurt.length);
  hurt.fill(
    [0x00, 0xff, 0x7f, 0x80][random.below(4)] ?? 0,
    at,
    Math.min(at + 1 + random.below(4), hurt.length),
  );
  return hurt;
};

const insert: Mutation = (file, _other, random) => {
  const at = random.below(file.length);
  return Buffer.concat([file.subarray(0, at), random.bytes(1 + random.below(40)), file.subarray(at)]);
};

const cutOut: Mutation = (file, _other, random) => {
  const at = random.below(file.length);
  return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + random.below(40))]);
};

const cutOff: Mutation = (file, _other, random) => file.subarray(0, 12 + random.below(file.length));

const repeat: Mutation = (file, _other, random) => {
  const at = random.below(file.length);
  const part = file.subarray(at, at + 1 + random.below(200));
  return Buffer.concat([file.subarray(0, at), part, part, part, file.subarray(at)]);
};

const splice: Mutation = (file, other, random) =>
  Buffer.concat([
    file.subarray(0, 12 + random.below(file.length)),
    other.subarray(random.below(other.length)),
  ]);

const MUTATIONS = [flipBits, flipHead, extremes, insert, cutOut, cutOff, repeat, splice];

/** A damaged copy of one of `files`. It usually keeps its magic bytes, or no decoder would read it. */
export function mutant(files: Buffer[], random: Random): Buffer {
  const pick = (): Buffer => files[random.below(files.length)] ?? Buffer.alloc(0);
  const original = pick();
  let hurt = original;
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const mutation = MUTATIONS[random.below(MUTATIONS.length)] ?? flipBits;
    if (hurt.length > 0) hurt = mutation(hurt, pick(), random);
  }
  const keepsMagic = random.below(10) > 0;
  return keepsMagic ? Buffer.concat([original.subarray(0, 12), hurt.subarray(12)]) : hurt;
}
