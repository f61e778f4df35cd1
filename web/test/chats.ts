import { type StaffConversation, VisitorConversation } from '@settee/protocol/model/conversation';
import { MESSAGE_PAGE, type Message, type Sender } from '@settee/protocol/model/message';
import * as v from 'valibot';
import { type Answers, type DownFrame, type FrameHandlers, Refused } from './fakeGateway.ts';

/** A UUID that is always the same for the same name. */
export function idOf(name: string): string {
  // FNV-1a, four times with other seeds.
  const parts = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => {
    let hash = seed;
    for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    return hash.toString(16).padStart(8, '0');
  });
  return parts.join('').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5');
}

/** An open conversation as its visitor sees it. `different` replaces fields. */
export function aConversation(id: string, different: Partial<VisitorConversation> = {}): VisitorConversation {
  return {
    ...v.getDefaults(VisitorConversation),
    id,
    inviteId: id,
    visitorId: id,
    visitorName: 'Jonas',
    createdAt: 0,
    lastMessageAt: 0,
    head: 0,
    rev: 1,
    visitorSeen: 0,
    ownerSeen: 0,
    status: 'open',
    canSend: true,
    isFirstDevice: true,
    ...different,
  };
}

/** Messages by number, both included: the even ones are the owner's. */
export function messagesBetween(conversationId: string, first: number, last: number): Message[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const seq = first + i;
    const sender = seq % 2 === 0 ? 'owner' : 'visitor';
    return { conversationId, seq, id: `m${seq}`, sender, text: `No. ${seq}`, createdAt: seq };
  });
}

type ConversationOf = { visitor: VisitorConversation; staff: StaffConversation };

/** A conversation on the fake gateway. Tests may change it; the next answer contains the change. */
export type Chat<S extends keyof ConversationOf> = { conversation: ConversationOf[S]; messages: Message[] };

/** A text of the visitor, a text with its sender, or a whole message. */
export type Line = string | { sender: Sender; text: string } | Partial<Message>;

const MINUTE = 60_000;

/** Messages with the numbers from 1, one minute apart; the last one is a minute old. */
export function messagesOf(conversationId: string, lines: readonly Line[]): Message[] {
  const last = Date.now() - MINUTE;
  return lines.map((line, index) => ({
    conversationId,
    seq: index + 1,
    id: idOf(`${conversationId} ${index + 1}`),
    sender: 'visitor',
    text: typeof line === 'string' ? line : '',
    createdAt: last - (lines.length - 1 - index) * MINUTE,
    ...(typeof line === 'object' && line),
  }));
}

/** Required fields that both sides have, for a chat with these messages. The desk has seen everything before its last reply. */
export function conversationOf(name: string, messages: readonly Message[]) {
  const id = idOf(name);
  const newest = messages.at(-1);
  return {
    id,
    inviteId: idOf(`invite of ${name}`),
    visitorId: idOf(`visitor ${name}`),
    visitorName: name,
    createdAt: messages[0]?.createdAt ?? Date.now() - MINUTE,
    lastMessageAt: newest?.createdAt ?? Date.now() - MINUTE,
    head: newest?.seq ?? 0,
    rev: 1,
    visitorSeen: messages.findLast(({ sender }) => sender === 'visitor')?.seq ?? 0,
    ownerSeen: messages.findLast(({ sender }) => sender === 'owner')?.seq ?? 0,
    status: 'open' as const,
    canSend: true,
  };
}

/** Adds a message, as the server does. Push the result, or let the next `watch` return it. */
export function addMessage(chat: Chat<'visitor' | 'staff'>, line: Line): Message {
  const { conversation, messages } = chat;
  const [added] = messagesOf(conversation.id, [line]);
  if (!added) throw new Error('no message');
  const seq = conversation.head + 1;
  const id = idOf(`${conversation.id} ${seq}`);
  const message = { ...added, seq, id, createdAt: Date.now(), ...(typeof line === 'object' && line) };
  messages.push(message);
  conversation.head = seq;
  conversation.lastMessageAt = message.createdAt;
  return message;
}

/** Answers the frames and calls about conversations from the given chats. */
export function fakeChats<S extends 'visitor' | 'staff'>(side: S, chats: Chat<S>[]) {
  const me: Sender = side === 'visitor' ? 'visitor' : 'owner';
  const find = (id: string | undefined) => chats.find(({ conversation }) => conversation.id === id);
  const refused = (conversationId: string, id?: string) =>
    [{ type: 'refused', code: 'not_found', conversationId, ...(id && { id }) }] as DownFrame<S>[];
  const after = ({ messages }: Chat<S>, seq: number) =>
    messages.filter((message) => message.seq > seq).slice(0, MESSAGE_PAGE);

  const frames: FrameHandlers<'visitor' | 'staff'> = {
    watch({ conversationId, after: seen }) {
      const chat = find(conversationId);
      if (!chat) return refused(conversationId);
      const messages = seen === undefined ? chat.messages.slice(-MESSAGE_PAGE) : after(chat, seen);
      return [{ type: 'watched', conversation: chat.conversation, messages }] as DownFrame<S>[];
    },
    range({ conversationId, after: seen }) {
      const chat = find(conversationId);
      if (!chat) return refused(conversationId);
      return [
        { type: 'messages', conversationId, messages: after(chat, seen), head: chat.conversation.head },
      ];
    },
    send({ conversationId, id, text }) {
      const chat = find(conversationId);
      if (!chat) return refused(conversationId, id);
      const before = chat.messages.find((message) => message.id === id);
      const message = before ?? addMessage(chat, { id, text, sender: me });
      const { seq, createdAt } = message;
      return [
        { type: 'ack', conversationId, id, seq, createdAt },
        { type: 'message', message },
      ];
    },
    seen({ conversationId, seq }) {
      const conversation = find(conversationId)?.conversation;
      if (!conversation) return [];
      const mark = me === 'visitor' ? 'visitorSeen' : 'ownerSeen';
      if (conversation[mark] >= seq) return [];
      conversation[mark] = seq;
      conversation[`${mark}At`] = Date.now();
      conversation.rev += 1;
      return [{ type: 'conversation', conversation }] as DownFrame<S>[];
    },
    ping: () => [{ type: 'pong' }],
  };

  const answers: Answers = {
    readConversation({ params }) {
      const chat = find(params.id);
      return chat ? { conversation: chat.conversation } : new Refused('not_found');
    },
    readMessages({ params, query }) {
      const chat = find(params.id);
      if (!chat) return new Refused('not_found');
      const { before = Number.MAX_SAFE_INTEGER, after: seen, limit = MESSAGE_PAGE } = query;
      const messages =
        seen === undefined
          ? chat.messages.filter(({ seq }) => seq < before).slice(-limit)
          : after(chat, seen).slice(0, limit);
      return { messages, head: chat.conversation.head };
    },
    sendMessage({ params, body }) {
      const chat = find(params.id);
      if (!chat) return new Refused('not_found');
      const { seq, createdAt } = addMessage(chat, { id: body.id, text: body.text, sender: me });
      return { seq, createdAt };
    },
  };

  return { frames: frames as FrameHandlers<S>, answers };
}
