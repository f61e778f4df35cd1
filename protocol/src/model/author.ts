import * as v from 'valibot';
import { Seq, Uuid } from './ids.ts';

/** Most messages whose authors are read at once: as many as the console draws. */
export const AUTHORS_MAX = 300;

/** Who of the staff wrote a message. For staff only: a visitor never learns it. */
export const MessageAuthor = v.object({ seq: Seq, author: v.object({ id: Uuid, name: v.string() }) });
export type MessageAuthor = v.InferOutput<typeof MessageAuthor>;

/** A message's number in an address. */
export const SeqInQuery = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/));
