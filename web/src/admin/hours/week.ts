import { DAY_MINUTES, type DeskHours, Week } from '@settee/protocol/model/hours';
import { fillText } from '@settee/protocol/texts/fillText';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import * as v from 'valibot';
import { dateText } from '../../browser/dateText.ts';
import { listText } from '../../browser/listText.ts';

/** A span as typed. */
export type SpanDraft = { from: string; to: string };
type WeekDraft = readonly (readonly SpanDraft[])[];

export const FIRST_SPAN: SpanDraft = { from: '09:00', to: '17:00' };

/** Monday to Friday, nine to five. */
export function firstDraft(): WeekDraft {
  return hoursTexts.days.map((_, day) => (day < 5 ? [FIRST_SPAN] : []));
}

export function draftOf({ week }: DeskHours): WeekDraft {
  return week.map((spans) => spans.map(({ from, to }) => ({ from: timeOf(from), to: timeOf(to) })));
}

/** The week as stored, or an error text. 00:00 as the end means midnight. */
export function weekOf(draft: WeekDraft): { week: Week } | { problem: string } {
  const week = draft.map((spans) =>
    spans
      .map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) || DAY_MINUTES }))
      .toSorted((a, b) => a.from - b.from),
  );
  const result = v.safeParse(Week, week);
  return result.success ? { week: result.output } : { problem: hoursTexts.order };
}

/** "Mon–Fri 09:00–17:00, Sat 10:00–14:00". */
export function weekText(week: Week): string {
  const days = week.map((spans) =>
    spans.map(({ from, to }) => rangeText(timeOf(from), timeOf(to))).join(' '),
  );
  const groups: { first: number; last: number; text: string }[] = [];
  for (const [day, text] of days.entries()) {
    const last = groups.at(-1);
    if (last?.text === text) last.last = day;
    else groups.push({ first: day, last: day, text });
  }
  const open = groups.filter(({ text }) => text !== '');
  if (open.length === 0) return hoursTexts.closedAllWeek;
  return listText(
    open.map(({ first, last, text }) =>
      fillText(hoursTexts.daysAndHours, { days: daysText(first, last), hours: text }),
    ),
  );
}

function daysText(first: number, last: number): string {
  return first === last ? shortDay(first) : rangeText(shortDay(first), shortDay(last));
}

function rangeText(from: string, to: string): string {
  return fillText(hoursTexts.range, { from, to });
}

/** 1 January 2024 was a Monday. */
function shortDay(day: number): string {
  return dateText(new Date(2024, 0, 1 + day).getTime(), { weekday: 'short' });
}

/** Accepts 9, 0900, 9:30 and 09.30. Returns NaN otherwise. */
function minutesOf(time: string): number {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(time.trim()) ?? [];
  return Number(minutes) < 60 ? Number(hours) * 60 + Number(minutes) : Number.NaN;
}

function timeOf(minutes: number): string {
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
