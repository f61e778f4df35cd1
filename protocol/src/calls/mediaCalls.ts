import * as v from 'valibot';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { MessageMedia } from '../model/messageMedia.ts';
import { call, none, success } from './call.ts';

/**
 * How to send an image: request an address, PUT the bytes there with exactly this content type, call `finishUpload`,
 * and send the message when the image is `ready`. Every step can be repeated. Separate from the other calls, so that a
 * page loads them only when the user has an image.
 */
export const mediaCalls = {
  /** The browser creates the `mediaId`. The answer has no address if the image is already stored. */
  beginUpload: call({
    method: 'POST',
    path: '/conversations/:id/media',
    auth: 'any',
    query: none,
    body: v.strictObject({
      mediaId: Uuid,
      /** Checked by the server, so that a wrong type is refused with the text of the specification. */
      type: v.pipe(v.string(), v.maxLength(100)),
      bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      fileName: v.pipe(v.string(), v.maxLength(1_000)),
    }),
    answer: v.object({ success, uploadUrl: v.nullable(v.string()), expiresAt: Time }),
  }),
  /** Reports that the bytes are uploaded. Waits a few seconds for the processed image; after `working`, call again. */
  finishUpload: call({
    method: 'POST',
    path: '/conversations/:id/media/:mediaId/uploaded',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({
      success,
      state: v.picklist(['uploading', 'working', 'ready', 'refused']),
      /** Set when the image is ready. */
      media: v.nullable(MessageMedia),
    }),
  }),
  /** Cancels an upload whose message was not sent. */
  cancelUpload: call({
    method: 'DELETE',
    path: '/conversations/:id/media/:mediaId',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({ success }),
  }),
  /** An address for the image. Anyone who has it can read the image for READ_SECONDS. */
  readMedia: call({
    method: 'GET',
    path: '/conversations/:id/media/:mediaId',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({ success, url: v.string(), expiresAt: Time }),
  }),
  /** The same action as the `sendMedia` frame, for a page without a socket. */
  sendMedia: call({
    method: 'POST',
    path: '/conversations/:id/media/:mediaId/message',
    auth: 'any',
    query: none,
    body: v.strictObject({ id: Uuid, after: v.optional(Seq) }),
    answer: v.object({ success, seq: Seq, createdAt: Time }),
  }),
} as const;
