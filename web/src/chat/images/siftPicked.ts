import { readImageFile } from './imageFile.ts';

export type Sifted = { files: File[]; problem: string | null };

/** Of what was picked, pasted or dropped: what can be sent, in its order, and what is wrong with the rest. */
export async function siftPicked(picked: readonly File[]): Promise<Sifted> {
  const read = await Promise.all(picked.map(readImageFile));
  return {
    files: read.flatMap((image) => (typeof image === 'string' ? [] : [image.file])),
    problem: read.find((image) => typeof image === 'string') ?? null,
  };
}
