import * as v from 'valibot';
import { DeskHours } from '../model/hours.ts';
import { Alias } from '../model/staff.ts';
import { call, none, success } from './call.ts';

/** A desk with its opening hours. Without hours (null) it is never away. */
export const DeskWithHours = v.object({
  alias: Alias,
  /** Names of the handlers. */
  people: v.array(v.string()),
  hours: v.nullable(DeskHours),
});
export type DeskWithHours = v.InferOutput<typeof DeskWithHours>;

export const hoursCalls = {
  readDeskHours: call({
    method: 'GET',
    path: '/manage/desks/hours',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, desks: v.array(DeskWithHours) }),
  }),
  /** Null removes the hours. */
  saveDeskHours: call({
    method: 'PUT',
    path: '/manage/desks/:alias/hours',
    auth: 'admin',
    query: none,
    body: v.strictObject({ hours: v.nullable(DeskHours) }),
    answer: v.object({ success, hours: v.nullable(DeskHours) }),
  }),
} as const;
