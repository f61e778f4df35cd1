import * as v from 'valibot';
import { VisitorConversation } from '../model/conversation.ts';
import { Seq } from '../model/ids.ts';
import { Message } from '../model/message.ts';
import { call, none, success } from './call.ts';

/** How many messages one answer of `exportOwn` holds at most. */
export const OWN_EXPORT_PAGE = 500;

/** A visitor's own: to take the conversation home, and to have it erased. */
export const rightsCalls = {
  /** All that a visitor may know of its conversation, oldest first; `next` is to be given back as `after`. */
  exportOwn: call({
    method: 'GET',
    path: '/conversations/:id/export',
    auth: 'visitor',
    body: none,
    query: v.strictObject({ after: v.optional(v.pipe(v.string(), v.toNumber(), Seq)) }),
    answer: v.object({
      success,
      conversation: VisitorConversation,
      messages: v.array(Message),
      next: v.nullable(Seq),
    }),
  }),
  /** Any device that has a place may do so. There is no way back. */
  eraseOwn: call({
    method: 'DELETE',
    path: '/conversations/:id',
    auth: 'visitor',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
} as const;
