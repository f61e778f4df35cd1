import type { Dashboard, DashboardPeriod } from '@settee/protocol/model/dashboard';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText, formatNumber, localeOf } from '@settee/protocol/texts/fillText';
import { formatDuration } from '../../staff/formatDuration.ts';
import { waitingOf } from '../../staff/waiting.ts';

/** Above this, show a factor: ×113 instead of 11,175%. */
const PERCENT_MAX = 300;

/** 3m 05s: zero-padded so that digits align. */
export function reply(ms: number): string {
  return formatDuration(ms, 2);
}

const BEFORE: Record<DashboardPeriod, string> = {
  today: texts.beforeToday,
  '7days': texts.beforeSevenDays,
  '30days': texts.beforeThirtyDays,
};

/** The change from the previous period: arrow, percentage, text for screen readers, and a note. */
export type Change = { arrow?: string; spoken?: string; percent?: string; good?: boolean; note: string };

export function countChange(count: number, before: number, period: DashboardPeriod): Change {
  const than = BEFORE[period];
  if (count === before) return { note: fillText(texts.same, { before: than }) };
  if (before === 0) return noneBefore(period);
  const up = count > before;
  return { ...moved(count, before), good: up, note: fillText(texts.versus, { before: than }) };
}

export function replyChange(
  { medianMs, beforeMs }: Dashboard['firstReply'],
  period: DashboardPeriod,
): Change {
  if (medianMs === null) return { note: texts.noReplies };
  if (beforeMs === null) return noneBefore(period);
  if (Math.round(medianMs / 1_000) === Math.round(beforeMs / 1_000) || beforeMs === 0) {
    return { note: fillText(texts.same, { before: BEFORE[period] }) };
  }
  const faster = medianMs < beforeMs;
  return { ...moved(medianMs, beforeMs), good: faster, note: faster ? texts.faster : texts.slower };
}

function noneBefore(period: DashboardPeriod): Change {
  const note = period === 'today' ? texts.noneBeforeToday : texts.noneBefore;
  return { note: fillText(note, { before: BEFORE[period] }) };
}

function moved(value: number, before: number): Pick<Change, 'arrow' | 'spoken' | 'percent'> {
  const up = value > before;
  const change = Math.abs(value - before) / before;
  if (Math.round(change * 100) > PERCENT_MAX) {
    const times = Math.round(value / before);
    return { arrow: '↑', percent: `×${formatNumber(times)}`, spoken: fillText(texts.times, { times }) };
  }
  const percent = percentText(change);
  return { arrow: up ? '↑' : '↓', percent, spoken: fillText(up ? texts.up : texts.down, { percent }) };
}

/** Empty if the whole is zero. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '' : percentText(part / whole);
}

function percentText(value: number): string {
  return new Intl.NumberFormat(localeOf(), { style: 'percent' }).format(Math.round(value * 100) / 100);
}

const HOUR_MS = 3_600_000;

type Tone = 'quiet' | 'lamp' | 'danger' | 'alarm';

/** Amber and red follow the settings. Solid red means a wait of over an hour. */
export function toneOf(waitingSince: number, now: number, settings: StaffSettings): Tone {
  const waiting = waitingOf({ waitingSince }, now, settings);
  if (waiting === null) return 'quiet';
  if (!waiting.long) return 'lamp';
  return now - waitingSince > HOUR_MS ? 'alarm' : 'danger';
}
