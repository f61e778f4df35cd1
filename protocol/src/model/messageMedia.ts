import * as v from 'valibot';

/** What a message says of its image. All of it is the server's word. */
export const MessageMedia = v.object({
  /** Where to ask for an address: see the call readMedia. */
  mediaUrl: v.string(),
  mediaType: v.string(),
  fileName: v.string(),
  /** Bytes. */
  size: v.number(),
  width: v.number(),
  height: v.number(),
  /** A few dozen bytes, base64: a blurred picture until the real one is there. */
  thumbhash: v.string(),
});
export type MessageMedia = v.InferOutput<typeof MessageMedia>;
