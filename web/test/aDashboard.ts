import { Dashboard } from '@settee/protocol/model/dashboard';
import * as v from 'valibot';

const DAY_MS = 86_400_000;

/** A dashboard of seven days without any traffic. */
export function aDashboard(different: Partial<Dashboard> = {}): Dashboard {
  const today = new Date().setHours(0, 0, 0, 0);
  const slots = [6, 5, 4, 3, 2, 1, 0].map((days) => ({
    start: today - days * DAY_MS,
    visitors: 0,
    replies: 0,
    conversations: 0,
    firstReplyMs: null,
  }));
  return {
    ...v.getDefaults(Dashboard),
    period: '7days',
    now: Date.now(),
    messages: { visitors: 0, replies: 0, before: 0 },
    conversations: { count: 0, before: 0 },
    firstReply: { medianMs: null, beforeMs: null },
    waiting: { count: 0, longestSince: null, classes: [0, 0, 0, 0, 0], rows: [] },
    slots,
    handlers: [],
    invites: { created: 0, opened: 0, started: 0, replied: 0 },
    unopened: null,
    ...different,
  };
}
