import * as v from 'valibot';
import { MessageAuthor, SeqInQuery } from '../model/author.ts';
import { BlockHours, BlockReason } from '../model/block.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { ClosedRow, Conversation, ConversationStatus, DeletedRow, QueueRow } from '../model/conversation.ts';
import { ConversationDetails } from '../model/details.ts';
import { Cursor, Time, Uuid } from '../model/ids.ts';
import { MESSAGE_TEXT_MAX } from '../model/message.ts';
import { Note, NoteText } from '../model/note.ts';
import { Slug } from '../model/profile.ts';
import { QUEUE_PAGE, QueueCounts } from '../model/queue.ts';
import { SavedReply, SavedReplyText, Shortcut } from '../model/savedReply.ts';
import { FoundConversation, FoundMessage, SEARCH_QUERY_MAX } from '../model/search.ts';
import { Alias, Desk, HandlerRecord } from '../model/staff.ts';
import { call } from './call.ts';

/** For staff at their desks. */
export const staffCalls = {
  /** With `counts`, there are more conversations than `limit`. */
  readQueue: call({
    route: 'GET /queue',
    summary: 'Read the open conversations of the desk, newest first.',
    auth: 'staff',
    query: {
      limit: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(QUEUE_PAGE))),
    },
    answer: { rows: v.array(QueueRow), counts: v.optional(QueueCounts) },
  }),
  readClosed: call({
    route: 'GET /queue/closed',
    summary: 'Read the closed and blocked conversations of the desk, a page at a time.',
    auth: 'staff',
    refusals: ['not_found'],
    /** `alias` or `profile`: only those of this desk or of its desks, for a caller with several. */
    query: { before: v.optional(Cursor), alias: v.optional(Alias), profile: v.optional(Slug) },
    answer: {
      rows: v.array(ClosedRow),
      /** Deleted conversations that belong between these rows. */
      deleted: v.optional(v.array(DeletedRow), []),
      next: v.nullable(Cursor),
    },
  }),
  readHandler: call({
    route: 'GET /handlers/me',
    summary: 'Read the caller’s handler record.',
    auth: 'staff',
    refusals: ['not_found'],
    answer: { handler: HandlerRecord },
  }),
  /** `away`: signed in, but not available to visitors. */
  setAvailability: call({
    route: 'PUT /handlers/me/availability',
    summary: 'Set the caller to away or available.',
    auth: 'staff',
    body: { away: v.boolean() },
    answer: { away: v.boolean() },
  }),
  /** `off`: available at the caller's other desks, but not at this one, and not notified about it. */
  setDeskOff: call({
    route: 'PUT /handlers/me/desks/:alias',
    summary: 'Set the caller off or on duty at one of several desks.',
    auth: 'staff',
    rate: ['staffWrites'],
    refusals: ['not_found'],
    body: { off: v.boolean() },
    answer: { off: v.boolean() },
  }),
  setStatus: call({
    route: 'PUT /conversations/:id/status',
    summary: 'Close, reopen, block or unblock a conversation.',
    auth: 'staff',
    refusals: ['conversation_closed'],
    body: {
      status: ConversationStatus,
      /** The status that the caller saw. If it has changed, nothing is done. Required to end a block. */
      from: v.optional(ConversationStatus),
      /** Why the conversation was blocked or unblocked. Never sent to the visitor. */
      reason: v.optional(BlockReason),
      /** The block ends after this time; without it, when staff end it. */
      hours: v.optional(BlockHours),
    },
    answer: { conversation: Conversation },
  }),
  /** Marks a conversation as unread, or removes the mark. Never sent to the visitor. */
  markUnread: call({
    route: 'PUT /conversations/:id/unread',
    summary: 'Mark a conversation as unread or read.',
    auth: 'staff',
    refusals: ['conversation_closed'],
    body: { unread: v.boolean() },
  }),
  snooze: call({
    route: 'PUT /conversations/:id/snooze',
    summary: 'Hide a conversation from the queue until a time or the visitor’s next message.',
    auth: 'staff',
    refusals: ['conversation_closed'],
    body: { until: v.nullable(Time) },
  }),
  readDetails: call({
    route: 'GET /conversations/:id/details',
    summary: 'Read the details of a conversation that only staff see.',
    auth: 'staff',
    answer: { details: ConversationDetails },
  }),
  readAuthors: call({
    route: 'GET /conversations/:id/authors',
    summary: 'Read which staff members wrote the desk’s messages in a range.',
    auth: 'staff',
    query: { from: SeqInQuery, to: SeqInQuery },
    answer: { authors: v.array(MessageAuthor) },
  }),
  readNotes: call({
    route: 'GET /conversations/:id/notes',
    summary: 'Read the internal notes of a conversation.',
    auth: 'staff',
    answer: { notes: v.array(Note) },
  }),
  addNote: call({
    route: 'POST /conversations/:id/notes',
    summary: 'Add an internal note. The client chooses the id, so a retry adds no second note.',
    auth: 'staff',
    refusals: ['id_reused'],
    body: { id: Uuid, text: NoteText },
    answer: { note: Note },
  }),
  /** Transfers the conversation to another desk. The visitor sees no change. */
  transfer: call({
    route: 'POST /conversations/:id/transfer',
    summary: 'Move a conversation to another desk.',
    auth: 'staff',
    body: {
      alias: Alias,
      /** For the handler who takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    },
  }),
  /** Every desk with a handler, as a target for a transfer. A handler sees only desks of the profiles of their own. */
  readDesks: call({
    route: 'GET /desks',
    summary: 'Read every desk that has a handler. Handlers get the desks of their own profiles.',
    auth: 'staff',
    answer: {
      desks: v.array(Desk),
      /** Of all desks that have a name besides their alias, by alias. */
      names: v.optional(v.record(v.string(), v.string())),
      /** The profiles of all desks that do not have the first one, by alias. Work stays within a profile. */
      profiles: v.optional(v.record(v.string(), v.string())),
    },
  }),
  readReplies: call({
    route: 'GET /replies',
    summary: 'Read the caller’s saved replies and the shared ones, for the profiles of their desks.',
    auth: 'staff',
    answer: { replies: v.array(SavedReply) },
  }),
  saveReply: call({
    route: 'PUT /replies/:id',
    summary: 'Create or change a saved reply.',
    auth: 'staff',
    refusals: ['shortcut_taken'],
    body: {
      shortcut: Shortcut,
      text: SavedReplyText,
      shared: v.boolean(),
      /** Only for chats of this profile, which must be one of the caller’s desks; null for all. Omitted: unchanged. */
      profile: v.optional(v.nullable(Slug)),
    },
    answer: { reply: SavedReply },
  }),
  deleteReply: call({
    route: 'DELETE /replies/:id',
    summary: 'Delete a saved reply.',
    auth: 'staff',
  }),
  /** Searches the caller's desk: names, invite labels and messages. `complete` is false if time ran out. */
  search: call({
    route: 'GET /search',
    summary: 'Search names, invite labels and messages of the desk. Administrators search every desk.',
    auth: 'staff',
    rate: ['searches'],
    query: { q: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(SEARCH_QUERY_MAX)) },
    answer: {
      conversations: v.array(FoundConversation),
      messages: v.array(FoundMessage),
      complete: v.boolean(),
    },
  }),
} as const;
