import * as v from 'valibot';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { MessageMedia } from '../model/messageMedia.ts';
import { call } from './call.ts';

/**
 * How to send an image: request an address, PUT the bytes there with exactly this content type, call `finishUpload`,
 * and send the message when the image is `ready`. Every step can be repeated. Separate from the other calls, so that a
 * page loads them only when the user has an image.
 */
export const mediaCalls = {
  /** The browser creates the `mediaId`. The answer has no address if the image is already stored. */
  beginUpload: call('POST', '/conversations/:id/media', 'any', {
    body: {
      mediaId: Uuid,
      /** Checked by the server, so that a wrong type is refused with the text of the specification. */
      type: v.pipe(v.string(), v.maxLength(100)),
      bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      fileName: v.pipe(v.string(), v.maxLength(1_000)),
    },
    answer: { uploadUrl: v.nullable(v.string()), expiresAt: Time },
  }),
  /** Reports that the bytes are uploaded. Waits a few seconds for the processed image; after `working`, call again. */
  finishUpload: call('POST', '/conversations/:id/media/:mediaId/uploaded', 'any', {
    answer: {
      state: v.picklist(['uploading', 'working', 'ready', 'refused']),
      /** Set when the image is ready. */
      media: v.nullable(MessageMedia),
    },
  }),
  /** Cancels an upload whose message was not sent. */
  cancelUpload: call('DELETE', '/conversations/:id/media/:mediaId', 'any'),
  /** An address for the image. Anyone who has it can read the image for READ_SECONDS. */
  readMedia: call('GET', '/conversations/:id/media/:mediaId', 'any', {
    answer: { url: v.string(), expiresAt: Time },
  }),
  /** The same action as the `sendMedia` frame, for a page without a socket. */
  sendMedia: call('POST', '/conversations/:id/media/:mediaId/message', 'any', {
    body: { id: Uuid, after: v.optional(Seq) },
    answer: { seq: Seq, createdAt: Time },
  }),
} as const;
