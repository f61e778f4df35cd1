import * as v from 'valibot';
import { DeskHours } from '../model/hours.ts';
import { Alias } from '../model/staff.ts';
import { call } from './call.ts';

export const LEFT_DESKS_SHOWN = 50;

/** A desk without handlers, and its open conversations and unused invites. */
export const LeftDesk = v.object({ alias: Alias, conversations: v.number(), invites: v.number() });
export type LeftDesk = v.InferOutput<typeof LeftDesk>;

/** A desk with its opening hours. Without hours (null) it is never away. */
export const DeskWithHours = v.object({
  alias: Alias,
  /** Names of the handlers. */
  people: v.array(v.string()),
  hours: v.nullable(DeskHours),
});
export type DeskWithHours = v.InferOutput<typeof DeskWithHours>;

export const deskCalls = {
  /**
   * Desks with open conversations or unused invites but no handler: after an interrupted move, or when a visitor
   * reopened an old conversation. A limited number per call; call again until none is left.
   */
  readLeftDesks: call({
    route: 'GET /manage/desks/left',
    summary: 'Read the desks that have conversations but no handler.',
    auth: 'admin',
    answer: { desks: v.array(LeftDesk) },
  }),
  readDeskHours: call({
    route: 'GET /manage/desks/hours',
    summary: 'Read the desks and their opening hours.',
    auth: 'admin',
    answer: { desks: v.array(DeskWithHours) },
  }),
  /** Null removes the hours. */
  saveDeskHours: call({
    route: 'PUT /manage/desks/:alias/hours',
    summary: 'Set or remove the opening hours of a desk. Outside them visitors see the away message.',
    auth: 'admin',
    refusals: ['not_found'],
    body: { hours: v.nullable(DeskHours) },
    answer: { hours: v.nullable(DeskHours) },
  }),
  moveDesk: call({
    route: 'POST /manage/desks/:alias/move',
    summary: 'Move a batch of conversations and invites from one desk to another. Repeat until none is left.',
    auth: 'admin',
    body: { to: Alias },
    answer: { moved: v.number(), left: v.number() },
  }),
} as const;
