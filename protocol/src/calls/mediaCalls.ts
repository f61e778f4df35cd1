import * as v from 'valibot';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { MessageMedia } from '../model/messageMedia.ts';
import { call, none, success } from './call.ts';

/**
 * An image's way into a conversation: ask for an address, PUT the bytes there with exactly this content type, say so,
 * and send the message once it is `ready`. Every step may be repeated. Apart from the other calls, so that a page
 * carries them only once somebody has an image in hand.
 */
export const mediaCalls = {
  /** `mediaId` is minted by the browser. An image that is there already needs no address. */
  beginUpload: call({
    method: 'POST',
    path: '/conversations/:id/media',
    auth: 'any',
    query: none,
    body: v.strictObject({
      mediaId: Uuid,
      /** Judged by the server, so that a wrong one is refused in the specification's words. */
      type: v.pipe(v.string(), v.maxLength(100)),
      bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      fileName: v.pipe(v.string(), v.maxLength(1_000)),
    }),
    answer: v.object({ success, uploadUrl: v.nullable(v.string()), expiresAt: Time }),
  }),
  /** The bytes are there. Waits a few seconds for the picture that is made of them; `working` means: ask again. */
  finishUpload: call({
    method: 'POST',
    path: '/conversations/:id/media/:mediaId/uploaded',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({
      success,
      state: v.picklist(['uploading', 'working', 'ready', 'refused']),
      /** Once it is ready. */
      media: v.nullable(MessageMedia),
    }),
  }),
  /** Takes back an upload whose message was not sent. */
  cancelUpload: call({
    method: 'DELETE',
    path: '/conversations/:id/media/:mediaId',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({ success }),
  }),
  /** An address that shows the image to whoever holds it, for READ_SECONDS. */
  readMedia: call({
    method: 'GET',
    path: '/conversations/:id/media/:mediaId',
    auth: 'any',
    query: none,
    body: none,
    answer: v.object({ success, url: v.string(), expiresAt: Time }),
  }),
  /** The same action as the socket's `sendMedia`, for a page that has no socket. */
  sendMedia: call({
    method: 'POST',
    path: '/conversations/:id/media/:mediaId/message',
    auth: 'any',
    query: none,
    body: v.strictObject({ id: Uuid, after: v.optional(Seq) }),
    answer: v.object({ success, seq: Seq, createdAt: Time }),
  }),
} as const;
