import * as v from 'valibot';
import { DeskHours } from '../model/hours.ts';
import { Alias } from '../model/staff.ts';
import { call } from './call.ts';

/** A desk with its opening hours. Without hours (null) it is never away. */
export const DeskWithHours = v.object({
  alias: Alias,
  /** Names of the handlers. */
  people: v.array(v.string()),
  hours: v.nullable(DeskHours),
});
export type DeskWithHours = v.InferOutput<typeof DeskWithHours>;

export const hoursCalls = {
  readDeskHours: call('GET', '/manage/desks/hours', 'admin', { answer: { desks: v.array(DeskWithHours) } }),
  /** Null removes the hours. */
  saveDeskHours: call('PUT', '/manage/desks/:alias/hours', 'admin', {
    body: { hours: v.nullable(DeskHours) },
    answer: { hours: v.nullable(DeskHours) },
  }),
} as const;
