import { expect, test } from 'vitest';
import { isNoticeOf } from './shownNotices.ts';

test('opening a chat removes its notification, and none that holds text', () => {
  const seen = isNoticeOf('staff', 'c1');
  expect(seen({ to: 'staff', conversationId: 'c1', staffId: 's1' })).toBe(true);
  expect(seen({ to: 'staff', conversationId: 'c2' })).toBe(false);
  expect(seen({ to: 'visitor', conversationId: 'c1' })).toBe(false);
  expect(seen({ to: 'staff', conversationId: 'c1', holdsWords: true })).toBe(false);
  expect(seen({})).toBe(false);
});
