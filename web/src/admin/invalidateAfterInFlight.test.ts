import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidateAfterInFlight } from './invalidateAfterInFlight.ts';

/** A query that is shown, whose readings end when told to. */
function shown(queries: QueryClient) {
  const readings: (() => void)[] = [];
  let cancelled = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ['messages', 'some'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => {
        cancelled += 1;
      });
      const { promise, resolve } = Promise.withResolvers<number>();
      readings.push(() => resolve(readings.length));
      return promise;
    },
  });
  const stop = observer.subscribe(() => {});
  return { readings, stop, cancelled: () => cancelled };
}

test('[OPEN-175] news during a reading do not end it: one more follows, for all of them', async () => {
  const queries = new QueryClient();
  const { readings, stop, cancelled } = shown(queries);
  readings[0]?.();
  await expect.poll(() => queries.isFetching()).toBe(0);

  const first = invalidateAfterInFlight(queries, ['messages']);
  expect(readings).toHaveLength(2);
  const more = [
    invalidateAfterInFlight(queries, ['messages']),
    invalidateAfterInFlight(queries, ['messages']),
  ];
  expect(readings).toHaveLength(2);
  readings[1]?.();
  await first;
  await expect.poll(() => readings.length).toBe(3);
  readings[2]?.();
  await Promise.all(more);
  expect(readings).toHaveLength(3);
  expect(cancelled()).toBe(0);
  stop();
  queries.clear();
});
