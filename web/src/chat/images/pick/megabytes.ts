import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';

const MEGABYTE = 1_048_576;

/** '2.5 MB' */
export function megabytes(bytes: number): string {
  return fillText(imageTexts.megabytes, { size: size(bytes) });
}

/** '1.6 of 2.5 MB' */
export function progress(done: number, total: number): string {
  return fillText(imageTexts.progress, { done: (done / MEGABYTE).toFixed(1), total: size(total) });
}

/** Never shows 0.0. */
function size(bytes: number): string {
  return Math.max(bytes / MEGABYTE, 0.1).toFixed(1);
}
