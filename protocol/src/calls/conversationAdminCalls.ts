import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { ConversationStatus, DeletedRow, QueueRow } from '../model/conversation.ts';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { MESSAGE_TEXT_MAX, Sender } from '../model/message.ts';
import { FoundMessage } from '../model/search.ts';
import { Alias } from '../model/staff.ts';
import { call, none, success } from './call.ts';

export const CONVERSATION_PAGE = 50;
/** So many conversations one call changes at most. */
const MANY_MAX = 500;
export const EXPORT_PAGE = 2_000;
/** With fewer letters nearly everything fits. */
export const FIND_MIN = 2;
export const FIND_MAX = 100;

/** A time and an id, as one word: where the page before ended. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,16}_[0-9a-f-]{36}$/));

const Many = v.pipe(v.array(Uuid), v.minLength(1), v.maxLength(MANY_MAX));

/** One conversation, whichever desk it is at. */
export const AdminRow = v.object({
  ...QueueRow.entries,
  handlerAlias: v.string(),
  status: ConversationStatus,
  /** Null while it is open. */
  closedAt: v.nullable(Time),
});
export type AdminRow = v.InferOutput<typeof AdminRow>;

/** More than so many are not counted: nobody reads on that far. */
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
  /** Name of the member of staff who wrote it; absent for a visitor's. */
  writtenBy: v.optional(v.string()),
});
export type ExportedMessage = v.InferOutput<typeof ExportedMessage>;

export const conversationAdminCalls = {
  /** At every desk, newest first: by the last message while open, by when it ended after that. */
  listConversations: call({
    method: 'GET',
    path: '/manage/conversations',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      /** Waiting is open, and the last word is the visitor's. */
      show: v.optional(v.picklist([...ConversationStatus.options, 'waiting'])),
      alias: v.optional(Alias),
      /** A visitor's name or label, an invite's label, or the beginning of an id; never words of messages. */
      q: v.optional(v.pipe(Line, v.minLength(FIND_MIN), v.maxLength(FIND_MAX))),
      before: v.optional(Cursor),
    }),
    answer: v.object({
      success,
      rows: v.array(AdminRow),
      /** Deleted conversations that belong between these rows; none while searching or filtering by status. */
      deleted: v.optional(v.array(DeletedRow), []),
      next: v.nullable(Cursor),
      /** With the first page of a list that no words narrow: how many there are of each, up to the cap. */
      counts: v.optional(ConversationCounts),
    }),
  }),
  /**
   * Messages of every desk that hold these words, newest first. The audit log gets a line with the number of characters,
   * never the words, and one for each conversation whose messages are shown. `complete` is false when time ran out.
   */
  searchMessages: call({
    method: 'GET',
    path: '/manage/messages',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      q: v.pipe(v.string(), v.trim(), v.minLength(FIND_MIN), v.maxLength(FIND_MAX)),
    }),
    answer: v.object({
      success,
      messages: v.array(v.object({ ...FoundMessage.entries, handlerAlias: v.string() })),
      complete: v.boolean(),
    }),
  }),
  /** Each as a hand-over of its own. What is gone or there already is told, and stops nothing. */
  reassignMany: call({
    method: 'POST',
    path: '/manage/conversations/reassign',
    auth: 'admin',
    query: none,
    body: v.strictObject({
      ids: Many,
      alias: Alias,
      /** For whoever takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    }),
    answer: v.object({ success, moved: v.number(), missed: v.array(Uuid) }),
  }),
  closeMany: call({
    method: 'POST',
    path: '/manage/conversations/close',
    auth: 'admin',
    query: none,
    body: v.strictObject({ ids: Many }),
    answer: v.object({ success, closed: v.number(), missed: v.array(Uuid) }),
  }),
  /** A page of a conversation with all that is kept of it. `next` is the number to go on after; null at the end. */
  exportConversation: call({
    method: 'GET',
    path: '/manage/conversations/:id/export',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      after: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/), v.transform(Number)), '0'),
    }),
    answer: v.object({
      success,
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
    }),
  }),
} as const;
