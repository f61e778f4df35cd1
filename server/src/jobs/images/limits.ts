import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';

/** Of all frames together. */
export const PIXELS_MAX = 40_000_000;
/** Of a PNG, which alone can have longer ones: libvips needs 700 MB for half a million pixels in a row. */
export const SOURCE_SIDE_MAX = 65_535;
export const FRAMES_MAX = 200;

/** The longest side of a picture that we keep. */
export const SIDE_MAX = 2_560;
/** The side of a square one, at most: a face beside a name, on a sharp screen. */
export const SQUARE_MAX = 512;
/** A picture of few colours may grow when it is made smaller: the new ones lie between the old. */
export const OUTPUT_MAX_BYTES = 2 * IMAGE_MAX_BYTES;

/** What one image may cost. Whatever costs more is refused. */
export const CPU_MS = 10_000;
export const MEMORY_MAX_BYTES = 512 * 1_048_576;
/** For all that, on a machine with much else to do. Whoever needs longer may be innocent, and is tried again. */
export const WALL_MS = 30_000;
/** How many images are worked on at once, whatever number of jobs there is. */
export const CHILDREN_MAX = 2;
