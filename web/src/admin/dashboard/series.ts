import { type Dashboard, type DashboardPeriod, WAITING_CLASSES } from '@settee/protocol/model/dashboard';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText, formatNumber, localeOf } from '@settee/protocol/texts/fillText';
import { dateText } from '../../browser/dateText.ts';
import { formatShortDuration } from '../../staff/waiting.ts';
import { reply } from './figureText.ts';

const HOUR_MS = 3_600_000;

export type Stat = 'messages' | 'conversations' | 'firstReply' | 'waiting';

/** Data of the chart and its table. */
export type Series = {
  title: string;
  /** The label below each group of bars. */
  head: string;
  columns: readonly string[];
  rows: readonly {
    key: string | number;
    label: string;
    long: string;
    /** The longest form of the label. */
    full: string;
    current: boolean;
    values: readonly (number | null)[];
  }[];
  unit: 'count' | 'ms';
};

export function seriesOf(stat: Stat, dashboard: Dashboard): Series {
  if (stat === 'waiting') return waitingSeries(dashboard);
  const hours = dashboard.period === 'today';
  const titles = {
    messages: hours ? texts.messagesPerHour : texts.messagesPerDay,
    conversations: hours ? texts.conversationsPerHour : texts.conversationsPerDay,
    firstReply: hours ? texts.firstReplyPerHour : texts.firstReplyPerDay,
  };
  const columns = {
    messages: [texts.fromVisitors, texts.replies],
    conversations: [texts.newConversations],
    firstReply: [texts.medianFirstReply],
  };
  const at = currentOf(dashboard);
  return {
    title: titles[stat],
    head: hours ? texts.hour : texts.day,
    columns: columns[stat],
    unit: stat === 'firstReply' ? 'ms' : 'count',
    rows: dashboard.slots.map((slot, index) => ({
      key: slot.start,
      ...labelsOf(slot.start, dashboard.period, index === at),
      current: index === at,
      values: {
        messages: [slot.visitors, slot.replies],
        conversations: [slot.conversations],
        firstReply: [slot.firstReplyMs],
      }[stat],
    })),
  };
}

export function valueText(value: number | null, unit: Series['unit']): string {
  if (value === null) return texts.none;
  return unit === 'ms' ? reply(value) : formatNumber(value);
}

function currentOf({ slots, now }: Dashboard): number {
  return slots.findLastIndex(({ start }) => start <= now);
}

function labelsOf(start: number, period: DashboardPeriod, current: boolean) {
  if (period === 'today') {
    const hour = hourOf(start);
    // When clocks go back, an hour occurs twice and only the zone differs.
    const twice = [start - HOUR_MS, start + HOUR_MS].some((other) => hourOf(other) === hour);
    const long = twice ? fillText(texts.hourInZone, { hour, zone: zoneOf(start) }) : hour;
    return { label: current ? texts.now : hour, long, full: long };
  }
  const long = format({ weekday: 'short', day: 'numeric', month: 'short' }, start);
  const full = format({ weekday: 'long', day: 'numeric', month: 'long' }, start);
  if (current) return { label: texts.today, long, full };
  const short: Intl.DateTimeFormatOptions =
    period === '7days' ? { weekday: 'short', day: 'numeric' } : { day: 'numeric', month: 'short' };
  return { label: format(short, start), long, full };
}

function hourOf(at: number): string {
  return format({ hour: '2-digit', minute: '2-digit' }, at);
}

function zoneOf(at: number): string {
  const parts = new Intl.DateTimeFormat(localeOf(), { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function format(options: Intl.DateTimeFormatOptions, at: number): string {
  const text = dateText(at, options);
  // 'Sun 8': without en-GB's comma.
  return localeOf() === 'en-GB' ? text.replace(',', '') : text;
}

function waitingSeries({ waiting }: Dashboard): Series {
  const minutes = (count: number) => formatShortDuration(count * 60_000);
  const labels = [0, ...WAITING_CLASSES].map((from, n) => {
    const until = WAITING_CLASSES[n];
    if (until === undefined) return fillText(texts.over, { time: minutes(from) });
    if (from === 0) return fillText(texts.under, { time: minutes(until) });
    return fillText(texts.from, { from: minutes(from), until: minutes(until) });
  });
  return {
    title: texts.waitingByTime,
    head: texts.waitingFor,
    columns: [texts.visitors],
    unit: 'count',
    rows: labels.map((label, n) => ({
      key: label,
      label,
      long: label,
      full: label,
      current: false,
      values: [waiting.classes[n] ?? 0],
    })),
  };
}
