import { consoleTexts } from '@settee/protocol/texts/consoleTexts';

export type SnoozeChoice = { name: string; until: number };

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** Until when a chat can be put aside, from now. */
export function snoozeChoices(now: number): SnoozeChoice[] {
  const untilMonday = (8 - new Date(now).getDay()) % 7;
  return [
    { name: consoleTexts.snoozeHour, until: now + HOUR_MS },
    { name: consoleTexts.snoozeHours, until: now + 4 * HOUR_MS },
    { name: consoleTexts.snoozeTomorrow, until: morningIn(now, 1) },
    // On a Sunday that is tomorrow already, and on a Monday today.
    ...(untilMonday > 1 ? [{ name: consoleTexts.snoozeMonday, until: morningIn(now, untilMonday) }] : []),
  ];
}

/** By the calendar, not by 24 hours: a day may have 23 or 25. */
function morningIn(now: number, days: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  return date.setHours(MORNING, 0, 0, 0);
}
