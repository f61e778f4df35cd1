import { INVITE_COUNT_MAX } from '@settee/protocol/model/managedInvite';
import { expect, test } from 'vitest';
import { countText } from './InviteFilterBar.tsx';

test('the counts of invites say whether counting stopped', () => {
  const counts = { NEW: INVITE_COUNT_MAX - 3, SEEN: 1, BOUND: 2, REVOKED: 0, EXPIRED: 0 };
  expect(countText(counts, { state: null, alias: '', search: 'lyon' })).toBe('10,000+');
  expect(countText(counts, { state: 'BOUND', alias: '', search: 'lyon' })).toBe('2+');
  expect(countText({ ...counts, SEEN: 0 }, { state: 'BOUND', alias: '', search: 'lyon' })).toBe('2');
  expect(countText(counts, { state: null, alias: '', search: '' })).toBe('10,000');
});
