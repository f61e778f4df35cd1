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
  beginUpload: call({
    route: 'POST /conversations/:id/media',
    summary: 'Begin an upload. Returns the address to PUT the file to.',
    auth: 'any',
    rate: ['uploads'],
    refusals: ['conversation_closed', 'image_type', 'image_size', 'image_limit', 'id_reused'],
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
  finishUpload: call({
    route: 'POST /conversations/:id/media/:mediaId/uploaded',
    summary: 'Finish an upload and wait until the image is processed.',
    auth: 'any',
    rate: ['uploads'],
    answer: {
      state: v.picklist(['uploading', 'working', 'ready', 'refused']),
      /** Set when the image is ready. */
      media: v.nullable(MessageMedia),
    },
  }),
  cancelUpload: call({
    route: 'DELETE /conversations/:id/media/:mediaId',
    summary: 'Remove an image that no message contains.',
    auth: 'any',
    rate: ['uploads'],
  }),
  /** An address for the image. Anyone who has it can read the image for READ_SECONDS. */
  readMedia: call({
    route: 'GET /conversations/:id/media/:mediaId',
    summary: 'Get an address of an image. It is valid for five minutes.',
    auth: 'any',
    answer: { url: v.string(), expiresAt: Time },
  }),
  /** The same action as the `sendMedia` frame, for a page without a socket. */
  sendMedia: call({
    route: 'POST /conversations/:id/media/:mediaId/message',
    summary: 'Send an image that is ready, as a message.',
    auth: 'any',
    refusals: ['conversation_closed', 'id_reused', 'reply_outdated', 'media_refused'],
    body: { id: Uuid, after: v.optional(Seq) },
    answer: { seq: Seq, createdAt: Time },
  }),
} as const;
