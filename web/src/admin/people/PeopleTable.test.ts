import { expect, test } from 'vitest';
import { presenceWords } from './PeopleTable.tsx';

const NOW = 1_800_000_000_000;
const person = { online: false, away: false, lastSeenAt: NOW - 2 * 3_600_000 };

test('[OPEN-155] who is there is told in words, and who is not, since when', () => {
  expect(presenceWords({ ...person, online: true }, NOW)).toBe('Online');
  expect(presenceWords({ ...person, online: true, away: true }, NOW)).toBe('Away');
  expect(presenceWords({ ...person, away: true }, NOW)).toBe('Last seen 2h ago');
  expect(presenceWords({ ...person, lastSeenAt: NOW - 5_000 }, NOW)).toBe('Last seen just now');
  expect(presenceWords({ ...person, lastSeenAt: null }, NOW)).toBe('Not signed in yet');
});
