import * as v from 'valibot';
import { call, idToken, none, success } from './call.ts';
import { Conversation, ConversationStatus, QueueRow } from './conversation.ts';
import { HandlerRecord, StaffClaims } from './staff.ts';

/** What only staff can ask: apart, so that a visitor's page does not carry it. */
export const staffCalls = {
  signInStaff: call({
    method: 'POST',
    path: '/auth/staff/sign-in',
    auth: 'none',
    query: none,
    body: v.strictObject({
      email: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254)),
      password: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024)),
    }),
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
    body: v.strictObject({ status: ConversationStatus }),
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
  readHandler: call({
    method: 'GET',
    path: '/handlers/me',
    auth: 'staff',
    body: none,
    query: none,
    answer: v.object({ success, handler: HandlerRecord }),
  }),
} as const;
