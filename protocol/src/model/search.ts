import * as v from 'valibot';
import { ConversationStatus } from './conversation.ts';
import { Seq, Time, Uuid } from './ids.ts';
import { Sender } from './message.ts';

export const SEARCH_QUERY_MAX = 200;
/** Maximum hits of each kind. */
export const SEARCH_HITS_MAX = 20;

const found = {
  conversationId: Uuid,
  visitorId: Uuid,
  visitorName: v.string(),
  status: ConversationStatus,
  /** Only for a person with several desks. */
  handlerAlias: v.optional(v.string()),
};

/** A conversation whose visitor's name or invite label matches. */
export const FoundConversation = v.object({ ...found, inviteLabel: v.string(), lastMessageAt: Time });
export type FoundConversation = v.InferOutput<typeof FoundConversation>;

export const FoundMessage = v.object({
  ...found,
  seq: Seq,
  sender: Sender,
  /** First name of the staff member who wrote it. */
  author: v.optional(v.nullable(v.string()), null),
  text: v.string(),
  createdAt: Time,
});
export type FoundMessage = v.InferOutput<typeof FoundMessage>;
