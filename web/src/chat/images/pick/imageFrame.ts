/** The largest a picture is drawn in the thread. */
const WIDEST = 320;
const HIGHEST = 360;
/** What a finger, and the ring of an upload with its words, need. */
const NARROWEST = 132;
/** Longer strips than these are cut in the thread; the viewer shows all of them. */
const TALLEST_RATIO = 0.5;
const WIDEST_RATIO = 2.4;

type Measures = { width?: number | undefined; height?: number | undefined };
type Frame = { width: number; aspectRatio: number };

/** The place that a picture takes, known before a byte of it is there: nothing moves when it comes. */
export function imageFrame({ width = 0, height = 0 }: Measures): Frame {
  if (!width || !height) return { width: 240, aspectRatio: 1.5 };
  const aspectRatio = Math.min(Math.max(width / height, TALLEST_RATIO), WIDEST_RATIO);
  const fits = Math.min(width, WIDEST, HIGHEST * aspectRatio);
  return { width: Math.round(Math.max(fits, NARROWEST)), aspectRatio };
}
