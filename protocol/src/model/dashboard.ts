import * as v from 'valibot';
import { Time, Uuid } from './ids.ts';
import { Alias } from './staff.ts';

/** The period of the dashboard, up to now. Each is compared with a period of the same length before it. */
export const DashboardPeriod = v.picklist(['today', '7days', '30days']);
export type DashboardPeriod = v.InferOutput<typeof DashboardPeriod>;

/** For example Europe/Berlin. It decides when a day begins. */
export const TimeZone = v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'no time zone'));

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
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
  /** Median of the first replies in this slot; null without any. */
  firstReplyMs: v.nullable(Milliseconds),
});
export type DashboardSlot = v.InferOutput<typeof DashboardSlot>;

/** Limits of the waiting classes in minutes. The last class has no upper limit. */
export const WAITING_CLASSES = [5, 15, 60, 24 * 60] as const;

/** Maximum rows here. Other pages show all of them. */
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
  /** Empty for a desk with open conversations but no handler. */
  people: v.array(v.string()),
  online: v.boolean(),
  /** Null if none of them was ever online. */
  lastSeenAt: v.nullable(Time),
  open: Count,
  firstReplyMs: v.nullable(Milliseconds),
});
export type HandlerLoad = v.InferOutput<typeof HandlerLoad>;

/** Of the invites created in the period: how many have reached each step. */
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
    /** The longest wait first. */
    rows: v.array(WaitingRow),
  }),
  slots: v.array(DashboardSlot),
  /** Desks without handlers first, then those with the most open conversations. */
  handlers: v.array(HandlerLoad),
  invites: InviteFunnel,
  /** The newest invite that nobody has opened. */
  unopened: v.nullable(v.object({ inviteId: Uuid, label: v.string(), expiresAt: Time })),
});
export type Dashboard = v.InferOutput<typeof Dashboard>;
