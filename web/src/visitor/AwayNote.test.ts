import { expect, test } from 'vitest';
import { backAtText } from './AwayNote.tsx';

test('the return of the host is named by the day in the reader’s zone', () => {
  const now = new Date(2026, 10, 20, 18, 30).getTime();
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 0).getTime();
  expect(backAtText(at(20, 20), now)).toBe('Back at 20:00');
  expect(backAtText(at(21, 9), now)).toBe('Back tomorrow at 09:00');
  expect(backAtText(at(23, 9), now)).toBe('Back Monday at 09:00');
  expect(backAtText(at(26, 9), now)).toBe('Back Thursday at 09:00');
  expect(backAtText(at(27, 9), now)).toBe('Back 27 November at 09:00');
});
