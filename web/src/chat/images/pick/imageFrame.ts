/** Maximum size of an image in the thread. */
const WIDEST = 320;
const HIGHEST = 360;
/** Minimum width for touch and for the progress ring. */
const NARROWEST = 132;
/** Longer strips are cropped in the thread. The viewer shows them in full. */
const TALLEST_RATIO = 0.5;
const WIDEST_RATIO = 2.4;

type Measures = { width?: number | undefined; height?: number | undefined };
type Frame = { width: number; aspectRatio: number };

/** The size of an image in the thread, known before it loads, so that nothing moves. */
export function imageFrame({ width = 0, height = 0 }: Measures): Frame {
  if (!width || !height) return { width: 240, aspectRatio: 1.5 };
  const aspectRatio = Math.min(Math.max(width / height, TALLEST_RATIO), WIDEST_RATIO);
  const fits = Math.min(width, WIDEST, HIGHEST * aspectRatio);
  return { width: Math.round(Math.max(fits, NARROWEST)), aspectRatio };
}
