import { thumbHashToDataURL } from 'thumbhash';

const known = new Map<string, string | undefined>();

/** A picture's blurred ground, from the few bytes that its message brought. */
export function blurOf(thumbhash: string | undefined): string | undefined {
  if (!thumbhash) return undefined;
  if (!known.has(thumbhash)) known.set(thumbhash, decode(thumbhash));
  return known.get(thumbhash);
}

function decode(thumbhash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)));
  } catch (error) {
    // Not worth a picture less: the place is kept by its measures.
    console.error('thumbhash:', error);
    return undefined;
  }
}
