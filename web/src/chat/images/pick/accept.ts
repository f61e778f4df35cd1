import { IMAGE_TYPES } from '@settee/protocol/model/media';

/**
 * What a file dialog offers. Not HEIC: asked for these, an iPhone and Safari make a JPEG of such a photo themselves. One
 * that is pasted or dropped is made one here, where the browser can.
 */
export const IMAGE_ACCEPT = IMAGE_TYPES.join();
