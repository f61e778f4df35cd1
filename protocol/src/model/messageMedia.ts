import * as v from 'valibot';

/** The image of a message. The server sets every field. */
export const MessageMedia = v.object({
  /** The call readMedia returns an address for it. */
  mediaUrl: v.string(),
  mediaType: v.string(),
  fileName: v.string(),
  /** Bytes. */
  size: v.number(),
  width: v.number(),
  height: v.number(),
  /** A few dozen bytes, base64: a blurred preview until the image is loaded. */
  thumbhash: v.string(),
});
export type MessageMedia = v.InferOutput<typeof MessageMedia>;
