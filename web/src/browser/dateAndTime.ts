import { dateText } from './dateText.ts';

/** 12 Nov, 18:04. Adds the year if it is not the current one. */
export function dateAndTime(at: number, now: number): string {
  const otherYear = new Date(at).getFullYear() !== new Date(now).getFullYear();
  return dateText(at, {
    day: 'numeric',
    month: 'short',
    ...(otherYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}
