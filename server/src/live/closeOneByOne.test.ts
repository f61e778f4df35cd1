import { expect, test } from 'vitest';
import { closeOneByOne } from './closeOneByOne.ts';

/** When each socket is closed and may return, in milliseconds since the start. */
async function drain(count: number): Promise<{ closedAt: number; returnsAt: number }[]> {
  let now = 0;
  const closed: { closedAt: number; returnsAt: number }[] = [];
  const socket = {
    closeWith: (_code: number, _text: string, waitMs = 0) =>
      void closed.push({ closedAt: now, returnsAt: now + Math.max(0, waitMs) }),
  };
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  await closeOneByOne(
    Array.from({ length: count }, () => socket),
    { now: () => now, sleep },
  );
  return closed;
}

test('[NET-27] up to 5,000 sockets are closed one after another, and none has to wait', async () => {
  const closed = await drain(5_000);
  expect(closed).toHaveLength(5_000);
  expect(closed.at(-1)?.closedAt).toBeLessThan(10_000);
  expect(closed.filter(({ closedAt, returnsAt }) => returnsAt > closedAt)).toEqual([]);
});

test('[NET-27] more sockets are closed in the same time, and return as far apart as fewer', async () => {
  const closed = await drain(20_000);
  expect(closed).toHaveLength(20_000);
  expect(closed.at(-1)?.closedAt).toBeLessThan(10_000);
  // 2 ms for each, give or take a step of 20 ms.
  const early = closed.filter(({ returnsAt }, index) => Math.abs(returnsAt - index * 2) > 40);
  expect(early).toEqual([]);
});
