import { expect, test } from 'vitest';
import { presenceText } from './personColumns.tsx';

const NOW = 1_800_000_000_000;
const person = { online: false, away: false, lastSeenAt: NOW - 2 * 3_600_000 };

test('presence shows as text, with the time for those who are offline', () => {
  expect(presenceText({ ...person, online: true }, NOW)).toBe('Online');
  expect(presenceText({ ...person, online: true, away: true }, NOW)).toBe('Away');
  expect(presenceText({ ...person, away: true }, NOW)).toBe('Last seen 2h ago');
  expect(presenceText({ ...person, lastSeenAt: NOW - 5_000 }, NOW)).toBe('Last seen just now');
  expect(presenceText({ ...person, lastSeenAt: null }, NOW)).toBe('Not signed in yet');
});
