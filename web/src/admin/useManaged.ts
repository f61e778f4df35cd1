import type { Answer, CallName } from '@settee/protocol/calls/http';
import type { Topic } from '@settee/protocol/model/management';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RequestParts } from '../net/api.ts';
import { useAdmin } from './context.ts';
import { REFETCH_INTERVAL_MS } from './refetch.ts';

/** Reads something of the admin area, and again whenever the server tells that its topic changed. */
export function useManaged<N extends CallName>(
  topic: Topic,
  name: N,
  parts: RequestParts<N>,
  { enabled = true } = {},
): UseQueryResult<Answer<N>, Error> {
  const { session } = useAdmin();
  return useQuery({
    queryKey: [topic, name, parts],
    queryFn: async () => {
      const read = await session.api(name, parts);
      if (!read.ok) throw new Error(read.text);
      return read.answer;
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    enabled,
  });
}
