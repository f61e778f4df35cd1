import type { Topic } from '@settee/protocol/model/management';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Clock } from '../net/clock.ts';

const REST_MS = 1_000;
/** Of a server that answers slowly, all open pages together must not ask without a pause. */
const REST_PER_MS = 10;
const REST_AT_MOST_MS = 30_000;

export type ThrottledRefetch = { came(): void; stop(): void };

/**
 * A busy installation tells of something twice a second: the first news is followed at once, the rest together, after a
 * rest. The slower the answer was, the longer the rest.
 */
export function throttleRefetch(
  read: () => Promise<unknown>,
  clock: Clock,
  restMs = REST_MS,
): ThrottledRefetch {
  let state: 'idle' | 'busy' | 'stopped' = 'idle';
  let again = false;
  let timer: unknown;

  async function follow(): Promise<void> {
    state = 'busy';
    again = false;
    const began = clock.now();
    await read().catch(() => undefined);
    if (isStopped()) return;
    const rest = Math.min(Math.max(restMs, (clock.now() - began) * REST_PER_MS), REST_AT_MOST_MS);
    timer = clock.setTimeout(() => {
      state = 'idle';
      if (again) void follow();
    }, rest);
  }
  const isStopped = () => state === 'stopped';

  return {
    came() {
      again = true;
      if (state === 'idle') void follow();
    },
    stop() {
      state = 'stopped';
      clock.clearTimeout(timer);
    },
  };
}

/** What no news was heard of (a change by a job or a command, say) is read again after this long. */
export const REFETCH_INTERVAL_MS = 30_000;

/**
 * Reads again what is shown of a topic. A reading that is under way is let end, or on a busy installation none ever
 * would; but it may have begun before the news, so that one more follows it.
 */
export async function invalidateAfterInFlight(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ queryKey, type: 'active', fetchStatus: 'fetching' });
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (underWay.length === 0) return;
  // However many news came meanwhile: they find each other's reading under way, and share it.
  await queries.invalidateQueries(
    { queryKey, predicate: (query) => underWay.includes(query) },
    { cancelRefetch: false },
  );
}

/** Far down in one of these lists, every page above is read again: not for each of the news of a busy installation. */
const RESTS_MS: Partial<Record<Topic, number>> = { audit: 2_000, invites: 2_000, conversations: 1_000 };

/** Has a topic read again when there is news about it. */
export function followTopics(
  read: (topic: Topic) => Promise<unknown>,
  clock: Clock,
): { follow(topic: Topic): void; stop(): void } {
  const followed = new Map<Topic, ThrottledRefetch>();
  return {
    follow(topic) {
      const restMs = RESTS_MS[topic];
      if (restMs === undefined) return void read(topic);
      const news = followed.get(topic) ?? throttleRefetch(() => read(topic), clock, restMs);
      followed.set(topic, news);
      news.came();
    },
    stop() {
      for (const news of followed.values()) news.stop();
    },
  };
}
