import * as v from 'valibot';
import { Uuid } from '../model/ids.ts';
import { Slug } from '../model/profile.ts';
import { call } from './call.ts';

/** Why an administrator erased a conversation. No free text, because the audit log stores it forever. */
export const EraseReason = v.picklist(['asked', 'spam', 'mistake']);
export type EraseReason = v.InferOutput<typeof EraseReason>;

export const eraseCalls = {
  /** For administrators, when a visitor requests it outside the chat. Cannot be undone. */
  eraseConversation: call({
    route: 'DELETE /manage/conversations/:id',
    summary: 'Erase a conversation permanently.',
    auth: 'admin',
    query: { reason: v.optional(EraseReason) },
  }),
  /**
   * The number of conversations that the hourly job would erase with this retention time: of a profile (without
   * `profile`, the first one), or of one invite. Without `days`, the profile keeps them forever, and the invite uses the
   * time of its profile.
   */
  countExpired: call({
    route: 'GET /manage/retention',
    summary: 'Count the conversations that a shorter retention period would erase.',
    auth: 'admin',
    query: {
      days: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,3}$/), v.toNumber())),
      inviteId: v.optional(Uuid),
      profile: v.optional(Slug),
    },
    answer: { conversations: v.number() },
  }),
} as const;
