import type { Sender } from '@settee/protocol/model/message';
import { expect, test } from 'vitest';
import type { Entry } from './entries.ts';
import { groupRows } from './grouping.ts';

const noon = new Date(2026, 10, 15, 12).getTime();
const MINUTE = 60_000;

function entry(sender: Sender, at: number): Entry {
  return { key: String(at), seq: 1, sender, text: '', at, state: 'stored' };
}

const edges = (entries: Entry[]) => groupRows(entries, noon).map((row) => [row.opensGroup, row.closesGroup]);

test('messages of one sender within three minutes form a group', () => {
  expect(
    edges([entry('owner', noon), entry('owner', noon + MINUTE), entry('owner', noon + 2 * MINUTE)]),
  ).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test('another sender, three minutes or midnight start a new group', () => {
  const alone = [true, true];
  expect(edges([entry('owner', noon), entry('visitor', noon)])).toEqual([alone, alone]);
  expect(edges([entry('owner', noon), entry('owner', noon + 3 * MINUTE)])).toEqual([alone, alone]);
  const midnight = new Date(2026, 10, 15).getTime();
  expect(edges([entry('owner', midnight - 1), entry('owner', midnight)])).toEqual([alone, alone]);
});

test('the first message of each day carries its label', () => {
  const rows = groupRows(
    [entry('owner', noon - 24 * 60 * MINUTE), entry('visitor', noon), entry('visitor', noon + 1)],
    noon,
  );
  expect(rows.map((row) => row.day)).toEqual(['Yesterday', 'Today', undefined]);
});

test('the line above new messages ends a group', () => {
  const entries = [entry('owner', noon), entry('owner', noon + 1), entry('owner', noon + 2)];
  expect(groupRows(entries, noon, String(noon + 1)).map((row) => row.opensGroup)).toEqual([
    true,
    true,
    false,
  ]);
});

test('[PRIVACY-15] another colleague starts a new group, and each message has its author', () => {
  const own = [1, 2, 3].map((seq) => ({ ...entry('owner', noon + seq), seq }));
  const rows = groupRows(own, noon, undefined, (seq) => (seq === 3 ? undefined : 'Ana'));
  expect(rows.map((row) => [row.author, row.opensGroup])).toEqual([
    ['Ana', true],
    ['Ana', false],
    [undefined, true],
  ]);
});
