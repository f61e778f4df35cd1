import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { MessageAuthor, SeqInQuery } from '../model/author.ts';
import { BlockHours, BlockReason } from '../model/block.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { ClosedRow, Conversation, ConversationStatus, DeletedRow, QueueRow } from '../model/conversation.ts';
import { ConversationDetails } from '../model/details.ts';
import { Time, Uuid } from '../model/ids.ts';
import { MESSAGE_TEXT_MAX } from '../model/message.ts';
import { Note, NoteText } from '../model/note.ts';
import { Password } from '../model/password.ts';
import { SavedReply, SavedReplyText, Shortcut } from '../model/savedReply.ts';
import { FoundConversation, FoundMessage, SEARCH_QUERY_MAX } from '../model/search.ts';
import { FactorProof, SecondFactorAsked, Ticket } from '../model/secondFactor.ts';
import { Alias, Desk, HandlerRecord, StaffClaims } from '../model/staff.ts';
import { call, idToken, none, success } from './call.ts';

/** A time and an id: the end of the previous page. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,16}_[0-9a-f-]{36}$/));

/** Calls for staff only. Separate, so that the visitor's page does not load them. */
export const staffCalls = {
  signInStaff: call({
    method: 'POST',
    path: '/auth/staff/sign-in',
    auth: 'none',
    query: none,
    body: v.strictObject({
      email: v.pipe(Line, v.nonEmpty(), v.maxLength(254)),
      password: Password,
    }),
    /** An account with a second factor gets a ticket for the second step instead of a session. */
    answer: v.union([
      v.object({ success, staff: StaffClaims, ...idToken }),
      v.object({ success, secondFactor: SecondFactorAsked }),
    ]),
  }),
  /** The second step: the ticket and the proof of the factor open a session. */
  confirmSignIn: call({
    method: 'POST',
    path: '/auth/staff/second-factor',
    auth: 'none',
    query: none,
    body: v.strictObject({ ticket: Ticket, proof: FactorProof }),
    answer: v.object({ success, staff: StaffClaims, ...idToken }),
  }),
  /** Reads the role and the alias from the database again. */
  refreshStaff: call({
    method: 'POST',
    path: '/auth/staff/refresh',
    auth: 'cookie',
    body: none,
    query: none,
    answer: v.object({ success, staff: StaffClaims, ...idToken }),
  }),
  signOutStaff: call({
    method: 'POST',
    path: '/auth/staff/sign-out',
    auth: 'cookie',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  setStatus: call({
    method: 'PUT',
    path: '/conversations/:id/status',
    auth: 'staff',
    query: none,
    body: v.strictObject({
      status: ConversationStatus,
      /** The status that the caller saw. If it has changed, nothing is done. Required to end a block. */
      from: v.optional(ConversationStatus),
      /** Why the conversation was blocked or unblocked. Never sent to the visitor. */
      reason: v.optional(BlockReason),
      /** The block ends after this time; without it, when staff end it. */
      hours: v.optional(BlockHours),
    }),
    answer: v.object({ success, conversation: Conversation }),
  }),
  // Staff
  readQueue: call({
    method: 'GET',
    path: '/queue',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, rows: v.array(QueueRow) }),
  }),
  /** Closed and blocked conversations, newest first, in pages. */
  readClosed: call({
    method: 'GET',
    path: '/queue/closed',
    auth: 'staff',
    body: none,
    query: v.strictObject({ before: v.optional(Cursor) }),
    answer: v.object({
      success,
      rows: v.array(ClosedRow),
      /** Deleted conversations that belong between these rows. */
      deleted: v.optional(v.array(DeletedRow), []),
      next: v.nullable(Cursor),
    }),
  }),
  /** Marks a conversation as unread, or removes the mark. Never sent to the visitor. */
  markUnread: call({
    method: 'PUT',
    path: '/conversations/:id/unread',
    auth: 'staff',
    query: none,
    body: v.strictObject({ unread: v.boolean() }),
    answer: v.object({ success }),
  }),
  /** Hides an open conversation from the queue until this time or until the visitor writes; null shows it again. */
  snooze: call({
    method: 'PUT',
    path: '/conversations/:id/snooze',
    auth: 'staff',
    query: none,
    body: v.strictObject({ until: v.nullable(Time) }),
    answer: v.object({ success }),
  }),
  readDetails: call({
    method: 'GET',
    path: '/conversations/:id/details',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, details: ConversationDetails }),
  }),
  /** The authors of the desk's messages in a range of numbers. */
  readAuthors: call({
    method: 'GET',
    path: '/conversations/:id/authors',
    auth: 'staff',
    body: none,
    query: v.strictObject({ from: SeqInQuery, to: SeqInQuery }),
    answer: v.object({ success, authors: v.array(MessageAuthor) }),
  }),
  readNotes: call({
    method: 'GET',
    path: '/conversations/:id/notes',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, notes: v.array(Note) }),
  }),
  /** The console creates the id, so a retry does not create a second note. */
  addNote: call({
    method: 'POST',
    path: '/conversations/:id/notes',
    auth: 'staff',
    query: none,
    body: v.strictObject({ id: Uuid, text: NoteText }),
    answer: v.object({ success, note: Note }),
  }),
  /** Transfers the conversation to another desk. The visitor sees no change. */
  transfer: call({
    method: 'POST',
    path: '/conversations/:id/transfer',
    auth: 'staff',
    query: none,
    body: v.strictObject({
      alias: Alias,
      /** For the handler who takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    }),
    answer: v.object({ success }),
  }),
  /** Every desk with a handler, as a target for a transfer. */
  readDesks: call({
    method: 'GET',
    path: '/desks',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, desks: v.array(Desk) }),
  }),
  /** The caller's own saved replies and the shared ones, by shortcut. */
  readReplies: call({
    method: 'GET',
    path: '/replies',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, replies: v.array(SavedReply) }),
  }),
  /** Creates or changes the reply with this id. The console creates the id. */
  saveReply: call({
    method: 'PUT',
    path: '/replies/:id',
    auth: 'staff',
    query: none,
    body: v.strictObject({ shortcut: Shortcut, text: SavedReplyText, shared: v.boolean() }),
    answer: v.object({ success, reply: SavedReply }),
  }),
  deleteReply: call({
    method: 'DELETE',
    path: '/replies/:id',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  /** Searches the caller's desk: names, invite labels and messages. `complete` is false if time ran out. */
  search: call({
    method: 'GET',
    path: '/search',
    auth: 'staff',
    body: none,
    query: v.strictObject({ q: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(SEARCH_QUERY_MAX)) }),
    answer: v.object({
      success,
      conversations: v.array(FoundConversation),
      messages: v.array(FoundMessage),
      complete: v.boolean(),
    }),
  }),
  /** `away`: signed in, but not available to visitors. */
  setAvailability: call({
    method: 'PUT',
    path: '/handlers/me/availability',
    auth: 'staff',
    query: none,
    body: v.strictObject({ away: v.boolean() }),
    answer: v.object({ success, away: v.boolean() }),
  }),
  readHandler: call({
    method: 'GET',
    path: '/handlers/me',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, handler: HandlerRecord }),
  }),
} as const;
