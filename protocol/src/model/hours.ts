import * as v from 'valibot';
import { hoursTexts } from '../texts/hoursTexts.ts';
import { TimeZone } from './dashboard.ts';

export const SPANS_MAX = 3;
export const DAY_MINUTES = 24 * 60;

const Minute = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAY_MINUTES));
/** Minutes after midnight. */
const Span = v.object({ from: Minute, to: Minute });
export type Span = v.InferOutput<typeof Span>;

/** In order and without overlap. */
export const Day = v.pipe(
  v.array(Span),
  v.maxLength(SPANS_MAX),
  v.check(
    (spans) => spans.every(({ from, to }, n) => from < to && from >= (spans[n - 1]?.to ?? 0)),
    hoursTexts.order,
  ),
);
/** Seven days from Monday. */
export const Week = v.pipe(v.array(Day), v.length(7));
export type Week = v.InferOutput<typeof Week>;

/** The opening hours of a desk. */
export const DeskHours = v.object({ timeZone: TimeZone, week: Week });
export type DeskHours = v.InferOutput<typeof DeskHours>;
