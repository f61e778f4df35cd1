import type { Topic } from '@settee/protocol/model/management';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Clock } from '../net/clock.ts';

/** Pause per millisecond of answer time, so that open pages do not overload a slow server. */
const REST_PER_MS = 10;
const REST_AT_MOST_MS = 30_000;

/**
 * Coalesces updates: the first triggers a call at once, later ones share a call after a pause. The slower the
 * answer, the longer the pause.
 */
function throttleRefetch(read: () => Promise<unknown>, clock: Clock, restMs: number) {
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
    request(): void {
      again = true;
      if (state === 'idle') void follow();
    },
    stop(): void {
      state = 'stopped';
      clock.clearTimeout(timer);
    },
  };
}

/** Refetch interval for changes that are not reported, such as those of a job or a command. */
export const REFETCH_INTERVAL_MS = 30_000;

/**
 * Refetches active queries of a topic. A fetch in flight is not cancelled, because on a busy installation none
 * would ever finish. It may have started before the change, so one more follows.
 */
export async function invalidateAfterInFlight(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const inFlight = queries.getQueryCache().findAll({ queryKey, type: 'active', fetchStatus: 'fetching' });
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (inFlight.length === 0) return;
  // Concurrent callers share this second fetch.
  await queries.invalidateQueries(
    { queryKey, predicate: (query) => inFlight.includes(query) },
    { cancelRefetch: false },
  );
}

/** The dashboard has figures about several topics. */
export type Followed = Topic | 'dashboard';
export const IN_DASHBOARD: ReadonlySet<Topic> = new Set(['messages', 'conversations', 'staff', 'invites']);

/** Pauses for what takes long to read again. */
const RESTS_MS: Partial<Record<Followed, number>> = {
  audit: 2_000,
  invites: 2_000,
  conversations: 1_000,
  dashboard: 1_000,
};

export function followTopics(
  read: (topic: Followed) => Promise<unknown>,
  clock: Clock,
): { follow(topic: Followed): void; stop(): void } {
  const followed = new Map<Followed, ReturnType<typeof throttleRefetch>>();
  return {
    follow(topic) {
      const restMs = RESTS_MS[topic];
      if (restMs === undefined) return void read(topic);
      const refetch = followed.get(topic) ?? throttleRefetch(() => read(topic), clock, restMs);
      followed.set(topic, refetch);
      refetch.request();
    },
    stop() {
      for (const refetch of followed.values()) refetch.stop();
    },
  };
}
