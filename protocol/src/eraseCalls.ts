import * as v from 'valibot';
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
} as const;
