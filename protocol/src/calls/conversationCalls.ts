import * as v from 'valibot';
import { Conversation } from '../model/conversation.ts';
import { DisplayName } from '../model/displayName.ts';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { MESSAGE_PAGE, Message, MessageText } from '../model/message.ts';
import { call } from './call.ts';

/** For visitors. Staff use most of them too. */
export const conversationCalls = {
  readConversation: call({
    route: 'GET /conversations/:id',
    summary: 'Read a conversation without its messages.',
    auth: 'any',
    answer: { conversation: Conversation },
  }),
  readMessages: call({
    route: 'GET /conversations/:id/messages',
    summary: 'Read a page of messages: before a number, after one, or the newest.',
    auth: 'any',
    // Older than `before`, newer than `after`, or the newest without either.
    query: {
      before: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
      after: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
      limit: v.optional(
        v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(MESSAGE_PAGE)),
      ),
    },
    answer: { messages: v.array(Message), head: Seq },
  }),
  /** The same action as the `send` frame, for a page without a socket. */
  sendMessage: call({
    route: 'POST /conversations/:id/messages',
    summary: 'Send a message. The client chooses the id, so a retry does not store it twice.',
    auth: 'any',
    refusals: ['conversation_closed', 'id_reused', 'reply_outdated'],
    body: { id: Uuid, text: MessageText, after: v.optional(Seq) },
    answer: { seq: Seq, createdAt: Time },
  }),
  nameVisitor: call({
    route: 'PUT /conversations/:id/visitorName',
    summary: 'Set the visitor’s name in this conversation.',
    auth: 'visitor',
    rate: ['renames'],
    body: { visitorName: DisplayName },
    answer: { conversation: Conversation },
  }),
  /** Creates a new continue code. The old one stops working, and its failures are reset. */
  renewCode: call({
    route: 'POST /conversations/:id/continueCode',
    summary: 'Create a new continue code for another device.',
    auth: 'any',
    rate: ['chatWrites', 'renewals'],
    answer: { continueCode: v.string() },
  }),
} as const;
