import * as v from 'valibot';
import { Block } from './block.ts';
import { Seq, Time } from './ids.ts';

/** The median is of the replies among so many of the newest messages: a long conversation costs no more. */
export const MEDIAN_OF_MESSAGES = 1_000;

/** What staff may know about a conversation besides its messages. */
export const ConversationDetails = v.object({
  inviteLabel: v.string(),
  startedAt: Time,
  messages: Seq,
  devices: v.pipe(v.number(), v.integer()),
  /** From the first unanswered message to the answer; null before the first answer. */
  medianReplyMs: v.nullable(v.number()),
  /** Null while it is not blocked. */
  block: v.optional(v.nullable(Block), null),
});
export type ConversationDetails = v.InferOutput<typeof ConversationDetails>;
