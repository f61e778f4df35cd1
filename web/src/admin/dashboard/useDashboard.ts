import type { Dashboard, DashboardPeriod } from '@settee/protocol/dashboard';
import type { Topic } from '@settee/protocol/management';
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAdmin } from '../context.ts';
import { readAgain } from '../readAgain.ts';

const KEY = 'dashboard';
/** What of it changes with the time alone (who is online, how long somebody waits) is read again after this long. */
const ANYWAY_AFTER_MS = 30_000;
const AT_MOST_EVERY_MS = 1_000;
const ABOUT: readonly Topic[] = ['messages', 'conversations', 'staff', 'invites'];

/** The figures of a period, read again when something happened, at most once a second. */
export function useDashboard(period: DashboardPeriod): UseQueryResult<Dashboard, Error> {
  const { session } = useAdmin();
  useNews();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useQuery({
    queryKey: [KEY, period, zone],
    queryFn: async () => {
      const read = await session.api('readDashboard', { query: { period, zone } });
      if (!read.ok) throw new Error(read.text);
      return read.answer.dashboard;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ANYWAY_AFTER_MS,
  });
}

/** A busy installation tells of something twice a second: the first news is followed at once, the rest together. */
function useNews(): void {
  const { live } = useAdmin();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again = false;
    const read = (): void => {
      if (timer !== undefined) {
        again = true;
        return;
      }
      void readAgain(queries, [KEY]);
      timer = setTimeout(() => {
        timer = undefined;
        if (again) {
          again = false;
          read();
        }
      }, AT_MOST_EVERY_MS);
    };
    const unsubscribe = live.line.onFrame((frame) => {
      if (frame.type === 'managementChanged' && frame.topics.some((topic) => ABOUT.includes(topic))) read();
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [live, queries]);
}
