import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';

/** Over all frames. */
export const PIXELS_MAX = 40_000_000;
/** Only a PNG can have longer sides. libvips needs 700 MB for half a million pixels in a row. */
export const SOURCE_SIDE_MAX = 65_535;
export const FRAMES_MAX = 200;

/** Longest side of a stored image. */
export const SIDE_MAX = 2_560;
/** Maximum side of a square image. */
export const SQUARE_MAX = 512;
/** An image with few colours may grow when it is resized, because of blended colours. */
export const OUTPUT_MAX_BYTES = 2 * IMAGE_MAX_BYTES;

/** Maximum cost of one image. More is refused. */
export const CPU_MS = 10_000;
export const MEMORY_MAX_BYTES = 512 * 1_048_576;
/** Wall-clock limit on a busy machine. Exceeding it may not be the file's fault, so the job is retried. */
export const WALL_MS = 30_000;
/** Maximum images processed at once. */
export const CHILDREN_MAX = 2;
