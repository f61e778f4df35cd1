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

/** A time and an id, as one word: where the page before ended. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,16}_[0-9a-f-]{36}$/));

/** What only staff can ask: apart, so that a visitor's page does not carry it. */
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
    /** An account with a second factor is asked for it, and gets no session yet. */
    answer: v.union([
      v.object({ success, staff: StaffClaims, ...idToken }),
      v.object({ success, secondFactor: SecondFactorAsked }),
    ]),
  }),
  /** The second step: what the ticket and this show together opens a session. */
  confirmSignIn: call({
    method: 'POST',
    path: '/auth/staff/second-factor',
    auth: 'none',
    query: none,
    body: v.strictObject({ ticket: Ticket, proof: FactorProof }),
    answer: v.object({ success, staff: StaffClaims, ...idToken }),
  }),
  /** A forced refresh: role and alias are read again from the database. */
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
      /** What it was when this was decided: if it is another by now, nothing is done. Only so a block is ended. */
      from: v.optional(ConversationStatus),
      /** Why it is blocked, or no longer. Nothing of it reaches the visitor. */
      reason: v.optional(BlockReason),
      /** A block ends by itself after so long; without it, when somebody ends it. */
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
  /** What was closed or blocked, newest first, a page at a time. */
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
  /** The handler wants to see it again, or no longer. Nothing of it reaches the visitor. */
  markUnread: call({
    method: 'PUT',
    path: '/conversations/:id/unread',
    auth: 'staff',
    query: none,
    body: v.strictObject({ unread: v.boolean() }),
    answer: v.object({ success }),
  }),
  /** Hides an open conversation from the queue until then, or until the visitor writes; null shows it again. */
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
  /** Who wrote the desk's messages from one number to another. */
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
  /** The id is minted by the console: asking twice makes one note. */
  addNote: call({
    method: 'POST',
    path: '/conversations/:id/notes',
    auth: 'staff',
    query: none,
    body: v.strictObject({ id: Uuid, text: NoteText }),
    answer: v.object({ success, note: Note }),
  }),
  /** Hands the conversation over to another desk. The visitor sees no change. */
  transfer: call({
    method: 'POST',
    path: '/conversations/:id/transfer',
    auth: 'staff',
    query: none,
    body: v.strictObject({
      alias: Alias,
      /** For the colleague who takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    }),
    answer: v.object({ success }),
  }),
  /** Every desk where somebody works, to choose one to hand over to. */
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
  /** Makes or changes the reply with this id, which the console mints. */
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
  /** Over the caller's own desk: names, invite labels and messages. `complete` is false when time ran out. */
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
  /** Away: signed in, reading, but not there for visitors. */
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
