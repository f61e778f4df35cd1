import * as v from 'valibot';
import { VisitorConversation } from '../model/conversation.ts';
import { Seq } from '../model/ids.ts';
import { Message } from '../model/message.ts';
import { call } from './call.ts';

/** Maximum messages per answer of `exportOwn`. */
export const OWN_EXPORT_PAGE = 500;

/** A visitor can download and erase their own conversation. */
export const rightsCalls = {
  /** Everything a visitor may know about their conversation, oldest first. Pass `next` as `after` for the next page. */
  exportOwn: call({
    route: 'GET /conversations/:id/export',
    summary: 'Export the caller’s conversation, a page at a time.',
    auth: 'visitor',
    rate: ['exports'],
    query: { after: v.optional(v.pipe(v.string(), v.toNumber(), Seq)) },
    answer: { conversation: VisitorConversation, messages: v.array(Message), next: v.nullable(Seq) },
  }),
  /** Any device of the conversation can do this. Cannot be undone. */
  eraseOwn: call({
    route: 'DELETE /conversations/:id',
    summary: 'Erase the caller’s conversation permanently.',
    auth: 'visitor',
    rate: ['erasures'],
  }),
} as const;
