import * as v from 'valibot';
import { Time, Uuid } from './ids.ts';
import { Alias } from './staff.ts';

/** What the dashboard looks back on, up to now; each is compared with as much time before it. */
export const DashboardPeriod = v.picklist(['today', '7days', '30days']);
export type DashboardPeriod = v.InferOutput<typeof DashboardPeriod>;

/** A name like Europe/Berlin: it decides where a day begins. */
export const TimeZone = v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'no time zone'));

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Milliseconds = v.pipe(v.number(), v.minValue(0));

/** One pair of bars: a day, or an hour of today. */
export const DashboardSlot = v.object({
  start: Time,
  visitors: Count,
  replies: Count,
  conversations: Count,
  /** Of the first replies in it; null when there were none. */
  firstReplyMs: v.nullable(Milliseconds),
});
export type DashboardSlot = v.InferOutput<typeof DashboardSlot>;

/** Minutes at which a class of waiting ends and the next begins; the last has no end. */
export const WAITING_CLASSES = [5, 15, 60, 24 * 60] as const;

/** How many of each are shown here; all of them have a place of their own. */
export const WAITING_SHOWN = 5;
export const HANDLERS_SHOWN = 6;

export const WaitingRow = v.object({
  conversationId: Uuid,
  visitorId: Uuid,
  visitorName: v.string(),
  lastMessage: v.string(),
  alias: Alias,
  waitingSince: Time,
});
export type WaitingRow = v.InferOutput<typeof WaitingRow>;

export const HandlerLoad = v.object({
  alias: Alias,
  /** None at a desk that has open conversations and nobody to answer. */
  people: v.array(v.string()),
  online: v.boolean(),
  /** Null when nobody has ever been there. */
  lastSeenAt: v.nullable(Time),
  open: Count,
  firstReplyMs: v.nullable(Milliseconds),
});
export type HandlerLoad = v.InferOutput<typeof HandlerLoad>;

/** Of the invites that were made in the period: each step counts those that got so far by now. */
export const InviteFunnel = v.object({ created: Count, opened: Count, started: Count, replied: Count });
export type InviteFunnel = v.InferOutput<typeof InviteFunnel>;

export const Dashboard = v.object({
  period: DashboardPeriod,
  now: Time,
  messages: v.object({ visitors: Count, replies: Count, before: Count }),
  conversations: v.object({ count: Count, before: Count }),
  firstReply: v.object({ medianMs: v.nullable(Milliseconds), beforeMs: v.nullable(Milliseconds) }),
  waiting: v.object({
    count: Count,
    longestSince: v.nullable(Time),
    /** By WAITING_CLASSES. */
    classes: v.array(Count),
    /** Who waits longest, first. */
    rows: v.array(WaitingRow),
  }),
  slots: v.array(DashboardSlot),
  /** Those without people first, then those with most open conversations. */
  handlers: v.array(HandlerLoad),
  invites: InviteFunnel,
  /** The newest invite that nobody has opened yet. */
  unopened: v.nullable(v.object({ inviteId: Uuid, label: v.string(), expiresAt: Time })),
});
export type Dashboard = v.InferOutput<typeof Dashboard>;
