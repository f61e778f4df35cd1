import * as v from 'valibot';
import { cleanMessageText } from '../model/cleanText.ts';
import { ConversationStatus, DeletedRow, QueueRow } from '../model/conversation.ts';
import { Cursor, Seq, Time, Uuid } from '../model/ids.ts';
import { Line } from '../model/line.ts';
import { MESSAGE_TEXT_MAX, Sender } from '../model/message.ts';
import { Slug } from '../model/profile.ts';
import { FoundMessage } from '../model/search.ts';
import { Alias } from '../model/staff.ts';
import { call } from './call.ts';

export const CONVERSATION_PAGE = 50;
/** Maximum conversations per call. */
const MANY_MAX = 500;
export const EXPORT_PAGE = 2_000;
/** Shorter queries match nearly everything. */
export const FIND_MIN = 2;
export const FIND_MAX = 100;

const ConversationIds = v.pipe(v.array(Uuid), v.minLength(1), v.maxLength(MANY_MAX));

/** A conversation of any desk. */
export const AdminRow = v.object({
  ...QueueRow.entries,
  handlerAlias: v.string(),
  status: ConversationStatus,
  /** Null while the conversation is open. */
  closedAt: v.nullable(Time),
});
export type AdminRow = v.InferOutput<typeof AdminRow>;

/** Counting stops at this number. */
export const CONVERSATION_COUNT_MAX = 1_000;

export const ConversationCounts = v.object({
  open: v.number(),
  waiting: v.number(),
  closed: v.number(),
  blocked: v.number(),
});
export type ConversationCounts = v.InferOutput<typeof ConversationCounts>;

export const ExportedMessage = v.object({
  seq: Seq,
  id: Uuid,
  sender: Sender,
  text: v.string(),
  createdAt: Time,
  image: v.optional(
    v.object({
      fileName: v.string(),
      mediaType: v.string(),
      size: v.number(),
      width: v.number(),
      height: v.number(),
    }),
  ),
  /** Name of the staff member who wrote it; absent for a visitor's message. */
  writtenBy: v.optional(v.string()),
});
export type ExportedMessage = v.InferOutput<typeof ExportedMessage>;

export const conversationAdminCalls = {
  /**
   * Messages of every desk that contain these words, newest first. The audit log records the number of characters,
   * never the words, and every conversation whose messages are shown. `complete` is false if time ran out.
   */
  searchMessages: call({
    route: 'GET /manage/messages',
    summary: 'Search the messages of every desk. The audit log records the search, but not its text.',
    auth: 'admin',
    rate: ['searches'],
    query: {
      q: v.pipe(v.string(), v.trim(), v.minLength(FIND_MIN), v.maxLength(FIND_MAX)),
      profile: v.optional(Slug),
    },
    answer: {
      messages: v.array(v.object({ ...FoundMessage.entries, handlerAlias: v.string() })),
      complete: v.boolean(),
    },
  }),
  /**
   * Conversations of every desk, newest first: open ones by their last message, closed ones by when they were closed.
   * An API key gets no text of messages and no names of staff: `lastMessage` is empty and `lastAuthor` is null.
   */
  listConversations: call({
    route: 'GET /manage/conversations',
    summary: 'List the conversations of every desk, a page at a time.',
    auth: 'admin',
    scope: 'conversations:read',
    query: {
      /** `waiting`: open, and the last message is from the visitor. */
      show: v.optional(v.picklist([...ConversationStatus.options, 'waiting'])),
      alias: v.optional(Alias),
      profile: v.optional(Slug),
      /** A visitor's name or label, an invite's label, or the start of an id. Never the text of messages. */
      q: v.optional(v.pipe(Line, v.minLength(FIND_MIN), v.maxLength(FIND_MAX))),
      before: v.optional(Cursor),
    },
    answer: {
      rows: v.array(AdminRow),
      /** Deleted conversations that belong between these rows. None in a search or with a status filter. */
      deleted: v.optional(v.array(DeletedRow), []),
      next: v.nullable(Cursor),
      /** Number of conversations by status, up to the maximum. Only on the first page, and only without a search. */
      counts: v.optional(ConversationCounts),
    },
  }),
  /**
   * Transfers each conversation separately. Reports those that no longer exist, are already there or belong to another
   * profile than the desk, and continues with the others.
   */
  reassignMany: call({
    route: 'POST /manage/conversations/reassign',
    summary: 'Move up to 500 conversations to a desk.',
    auth: 'admin',
    body: {
      ids: ConversationIds,
      alias: Alias,
      /** For the handler who takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    },
    answer: { moved: v.number(), missed: v.array(Uuid) },
  }),
  closeMany: call({
    route: 'POST /manage/conversations/close',
    summary: 'Close up to 500 conversations.',
    auth: 'admin',
    body: { ids: ConversationIds },
    answer: { closed: v.number(), missed: v.array(Uuid) },
  }),
  /**
   * One page of a conversation with all stored data. Pass `next` as `after` for the next page; null on the last page.
   * An API key does not get `writtenBy`.
   */
  exportConversation: call({
    route: 'GET /manage/conversations/:id/export',
    summary: 'Read all of a conversation, a page at a time.',
    auth: 'admin',
    scope: 'messages:read',
    query: { after: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/), v.transform(Number)), '0') },
    answer: {
      conversation: v.object({
        id: Uuid,
        visitorId: Uuid,
        visitorName: v.string(),
        profileName: v.string(),
        handlerAlias: v.string(),
        inviteLabel: v.string(),
        status: ConversationStatus,
        startedAt: Time,
        messages: Seq,
        exportedAt: Time,
      }),
      messages: v.array(ExportedMessage),
      next: v.nullable(Seq),
    },
  }),
} as const;
