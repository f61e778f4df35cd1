import type { Dashboard, DashboardPeriod } from '@settee/protocol/model/dashboard';
import type { Topic } from '@settee/protocol/model/management';
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { systemClock } from '../../net/clock.ts';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useAdmin } from '../context.ts';
import { invalidateAfterInFlight, REFETCH_INTERVAL_MS, throttleRefetch } from '../refetch.ts';

const KEY = 'dashboard';
const ABOUT: readonly Topic[] = ['messages', 'conversations', 'staff', 'invites'];

/** The figures of a period. Read again after changes. */
export function useDashboard(period: DashboardPeriod): UseQueryResult<Dashboard, Error> {
  const { session } = useAdmin();
  useNews();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useQuery({
    queryKey: [KEY, period, zone],
    queryFn: async () => {
      const answer = await readOrThrow(session.api, 'readDashboard', { query: { period, zone } });
      return answer.dashboard;
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

function useNews(): void {
  const { live } = useAdmin();
  const queries = useQueryClient();
  useEffect(() => {
    const refetch = throttleRefetch(() => invalidateAfterInFlight(queries, [KEY]), systemClock);
    const unsubscribe = live.line.onFrame((frame) => {
      if (frame.type === 'managementChanged' && frame.topics.some((topic) => ABOUT.includes(topic)))
        refetch.request();
    });
    return () => {
      unsubscribe();
      refetch.stop();
    };
  }, [live, queries]);
}
