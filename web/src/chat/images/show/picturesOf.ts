import type { Entry, Media } from '../../model/entries.ts';

export type PictureEntry = Entry & { media: Media };

/** A thread's images, in its order. */
export function picturesOf(entries: readonly Entry[]): PictureEntry[] {
  return entries.filter(
    (entry): entry is PictureEntry => entry.media?.mediaType.startsWith('image/') ?? false,
  );
}
