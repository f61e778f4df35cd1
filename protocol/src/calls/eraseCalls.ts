import * as v from 'valibot';
import { Uuid } from '../model/ids.ts';
import { call, none, success } from './call.ts';

/** Why an administrator erased a conversation. No words of their own: the audit log keeps what it is given for ever. */
export const EraseReason = v.picklist(['asked', 'spam', 'mistake']);
export type EraseReason = v.InferOutput<typeof EraseReason>;

export const eraseCalls = {
  /** An administrator's, for whoever asks for it by another way. There is no way back. */
  eraseConversation: call({
    method: 'DELETE',
    path: '/manage/conversations/:id',
    auth: 'admin',
    body: none,
    query: v.strictObject({ reason: v.optional(EraseReason) }),
    answer: v.object({ success }),
  }),
  /**
   * How many conversations the hourly job would erase if they were kept for so many days: the installation's, or those
   * of one invite. Without `days`: kept for ever, or for the invite as long as the installation keeps them.
   */
  countExpired: call({
    method: 'GET',
    path: '/manage/retention',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      days: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,3}$/), v.toNumber())),
      inviteId: v.optional(Uuid),
    }),
    answer: v.object({ success, conversations: v.number() }),
  }),
} as const;
