/** What became of a file that somebody sent as an image. */
export type Reencoded =
  | { ok: true; bytes: Uint8Array; type: string; width: number; height: number; thumbhash: string }
  /** `reason` is a word for the log, never for a person. */
  | { ok: false; reason: string };

/** Makes a picture of our own of whatever was uploaded, in a process that may die of it. */
export async function reencode(_file: Uint8Array, _declaredType: string): Promise<Reencoded> {
  return { ok: false, reason: 'not built yet' };
}
