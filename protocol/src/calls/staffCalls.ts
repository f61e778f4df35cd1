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
import { QUEUE_PAGE, QueueCounts } from '../model/queue.ts';
import { SavedReply, SavedReplyText, Shortcut } from '../model/savedReply.ts';
import { FoundConversation, FoundMessage, SEARCH_QUERY_MAX } from '../model/search.ts';
import { FactorProof, SecondFactorAsked, Ticket } from '../model/secondFactor.ts';
import { Alias, Desk, HandlerRecord, StaffClaims } from '../model/staff.ts';
import { call, idToken, success } from './call.ts';

/** A time and an id: the end of the previous page. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,16}_[0-9a-f-]{36}$/));

/** Calls for staff only. Separate, so that the visitor's page does not load them. */
export const staffCalls = {
  signInStaff: call('POST', '/auth/staff/sign-in', 'none', {
    body: {
      email: v.pipe(Line, v.nonEmpty(), v.maxLength(254)),
      password: Password,
    },
    /** An account with a second factor gets a ticket for the second step instead of a session. */
    answer: v.union([
      v.object({ success, staff: StaffClaims, ...idToken }),
      v.object({ success, secondFactor: SecondFactorAsked }),
    ]),
  }),
  /** The name of the provider for single sign-on; null without one. */
  readSignIn: call('GET', '/auth/staff/sign-in', 'none', {
    answer: { singleSignOn: v.nullable(v.string()) },
  }),
  /** The second step: the ticket and the proof of the factor open a session. */
  confirmSignIn: call('POST', '/auth/staff/second-factor', 'none', {
    body: { ticket: Ticket, proof: FactorProof },
    answer: { staff: StaffClaims, ...idToken },
  }),
  /**
   * Reads the role and the alias from the database again. `active: false` if the person did nothing since the last
   * call: then the call does not extend the session.
   */
  refreshStaff: call('POST', '/auth/staff/refresh', 'cookie', {
    body: { active: v.optional(v.boolean(), true) },
    answer: { staff: StaffClaims, ...idToken },
  }),
  signOutStaff: call('POST', '/auth/staff/sign-out', 'cookie'),
  setStatus: call('PUT', '/conversations/:id/status', 'staff', {
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
  // Staff
  /** With `counts`, there are more conversations than `limit`. */
  readQueue: call('GET', '/queue', 'staff', {
    query: {
      limit: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(QUEUE_PAGE))),
    },
    answer: { rows: v.array(QueueRow), counts: v.optional(QueueCounts) },
  }),
  /** Closed and blocked conversations, newest first, in pages. */
  readClosed: call('GET', '/queue/closed', 'staff', {
    query: { before: v.optional(Cursor) },
    answer: {
      rows: v.array(ClosedRow),
      /** Deleted conversations that belong between these rows. */
      deleted: v.optional(v.array(DeletedRow), []),
      next: v.nullable(Cursor),
    },
  }),
  /** Marks a conversation as unread, or removes the mark. Never sent to the visitor. */
  markUnread: call('PUT', '/conversations/:id/unread', 'staff', { body: { unread: v.boolean() } }),
  /** Hides an open conversation from the queue until this time or until the visitor writes; null shows it again. */
  snooze: call('PUT', '/conversations/:id/snooze', 'staff', { body: { until: v.nullable(Time) } }),
  readDetails: call('GET', '/conversations/:id/details', 'staff', {
    answer: { details: ConversationDetails },
  }),
  /** The authors of the desk's messages in a range of numbers. */
  readAuthors: call('GET', '/conversations/:id/authors', 'staff', {
    query: { from: SeqInQuery, to: SeqInQuery },
    answer: { authors: v.array(MessageAuthor) },
  }),
  readNotes: call('GET', '/conversations/:id/notes', 'staff', { answer: { notes: v.array(Note) } }),
  /** The console creates the id, so a retry does not create a second note. */
  addNote: call('POST', '/conversations/:id/notes', 'staff', {
    body: { id: Uuid, text: NoteText },
    answer: { note: Note },
  }),
  /** Transfers the conversation to another desk. The visitor sees no change. */
  transfer: call('POST', '/conversations/:id/transfer', 'staff', {
    body: {
      alias: Alias,
      /** For the handler who takes over; may be empty. */
      note: v.pipe(v.string(), v.transform(cleanMessageText), v.maxLength(MESSAGE_TEXT_MAX)),
    },
  }),
  /** Every desk with a handler, as a target for a transfer. */
  readDesks: call('GET', '/desks', 'staff', {
    answer: {
      desks: v.array(Desk),
      /** Of all desks that have a name besides their alias, by alias. */
      names: v.optional(v.record(v.string(), v.string())),
    },
  }),
  /** The caller's own saved replies and the shared ones, by shortcut. */
  readReplies: call('GET', '/replies', 'staff', { answer: { replies: v.array(SavedReply) } }),
  /** Creates or changes the reply with this id. The console creates the id. */
  saveReply: call('PUT', '/replies/:id', 'staff', {
    body: { shortcut: Shortcut, text: SavedReplyText, shared: v.boolean() },
    answer: { reply: SavedReply },
  }),
  deleteReply: call('DELETE', '/replies/:id', 'staff'),
  /** Searches the caller's desk: names, invite labels and messages. `complete` is false if time ran out. */
  search: call('GET', '/search', 'staff', {
    query: { q: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(SEARCH_QUERY_MAX)) },
    answer: {
      conversations: v.array(FoundConversation),
      messages: v.array(FoundMessage),
      complete: v.boolean(),
    },
  }),
  /** `away`: signed in, but not available to visitors. */
  setAvailability: call('PUT', '/handlers/me/availability', 'staff', {
    body: { away: v.boolean() },
    answer: { away: v.boolean() },
  }),
  readHandler: call('GET', '/handlers/me', 'staff', { answer: { handler: HandlerRecord } }),
} as const;
