import * as v from 'valibot';
import { Seq, Uuid } from './ids.ts';

/** Maximum messages per request for authors: as many as the console draws. */
export const AUTHORS_MAX = 300;

/** The staff member who wrote a message. Only for staff; never sent to a visitor. */
export const MessageAuthor = v.object({ seq: Seq, author: v.object({ id: Uuid, name: v.string() }) });
export type MessageAuthor = v.InferOutput<typeof MessageAuthor>;

/** A message's number in a query string. */
export const SeqInQuery = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/));
