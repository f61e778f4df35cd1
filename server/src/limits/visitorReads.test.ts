import { afterEach, expect, test, vi } from 'vitest';
import type { Caller } from '../caller.ts';
import { VisitorReads } from './visitorReads.ts';

afterEach(() => void vi.useRealTimers());

const visitor = { kind: 'visitor' } as Caller;
const staff = { kind: 'staff' } as Caller;

test('[HOSTILE-09] visitors share a fifth of the connections, and staff do not wait for them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const reads = new VisitorReads(15);
  const begun: Caller[] = [];
  const ends: (() => void)[] = [];
  const read = (caller: Caller) =>
    reads.run(caller, () => {
      begun.push(caller);
      return new Promise<void>((end) => ends.push(end));
    });
  const all = [visitor, visitor, visitor, visitor, staff].map(read);
  expect(begun).toEqual([visitor, visitor, visitor, staff]);
  vi.advanceTimersByTime(1_000);
  expect(reads.isBusy()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(reads.isBusy()).toBe(true);
  ends[0]?.();
  await all[0];
  await expect.poll(() => begun).toHaveLength(5);
  expect(reads.isBusy()).toBe(false);
});
