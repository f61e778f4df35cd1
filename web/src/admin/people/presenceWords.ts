import type { Person } from '@settee/protocol/calls/peopleCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { relativeTime } from '../../browser/times.ts';

/** Whether somebody is there, or since when not. */
export function presenceWords(
  { online, away, lastSeenAt }: Pick<Person, 'online' | 'away' | 'lastSeenAt'>,
  now: number,
): string {
  if (online) return away ? peopleTexts.away : peopleTexts.online;
  if (lastSeenAt === null) return peopleTexts.neverSeen;
  return fillText(peopleTexts.lastSeen, { ago: relativeTime(lastSeenAt, now).toLowerCase() });
}
