import * as v from 'valibot';
import { call, none, success } from './call.ts';
import { VisitorConversation } from './conversation.ts';
import { Seq } from './ids.ts';
import { Message } from './message.ts';

/** Why an administrator erased a conversation. No words of their own: the audit log keeps what it is given for ever. */
export const EraseReason = v.picklist(['asked', 'spam', 'mistake']);
export type EraseReason = v.InferOutput<typeof EraseReason>;

/** How many messages one answer of `exportOwn` holds at most. */
export const EXPORT_PAGE = 500;

/** To take one's conversation home, and to have it erased. Apart: they come with the page's menu, which few open. */
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
  eraseConversation: call({
    method: 'DELETE',
    path: '/manage/conversations/:id',
    auth: 'admin',
    body: none,
    query: v.strictObject({ reason: v.optional(EraseReason) }),
    answer: v.object({ success }),
  }),
} as const;
