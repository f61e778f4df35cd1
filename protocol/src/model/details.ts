import * as v from 'valibot';
import { Block } from './block.ts';
import { Seq, Time } from './ids.ts';
import { StaffProfile } from './profile.ts';

/**
 * The median covers only the replies in this many of the newest messages, so that a long conversation costs no more.
 */
export const MEDIAN_OF_MESSAGES = 1_000;

/** Data about a conversation for staff, besides its messages. */
export const ConversationDetails = v.object({
  inviteLabel: v.string(),
  startedAt: Time,
  messages: Seq,
  devices: v.pipe(v.number(), v.integer()),
  /** From the first unanswered message to the answer; null before the first answer. */
  medianReplyMs: v.nullable(v.number()),
  /** Null if it is not blocked. */
  block: v.optional(v.nullable(Block), null),
  /** What the visitor sees. Only if there are several profiles. */
  profile: v.optional(StaffProfile),
});
export type ConversationDetails = v.InferOutput<typeof ConversationDetails>;
