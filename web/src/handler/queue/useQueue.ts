import type { QueueRow } from '@settee/protocol/model/conversation';
import { useQuery } from '@tanstack/react-query';
import { useConsole, useSignedIn } from '../context.ts';
import { sortQueue } from './queue.ts';

export type Queue = {
  /** Undefined until they are known. */
  rows: readonly QueueRow[] | undefined;
  failed: boolean;
  tryAgain: () => void;
};

/** The socket keeps the queue; a call brings it when there is no socket yet, or none to be had. */
export function useQueue(): Queue {
  const { session } = useSignedIn();
  const { queue } = useConsole();
  const read = useQuery({
    queryKey: ['queue'],
    enabled: queue === null,
    queryFn: async () => {
      const answer = await session.api('readQueue', {});
      if (!answer.ok) throw new Error(answer.text);
      return sortQueue(answer.answer.rows);
    },
  });
  return { rows: queue ?? read.data, failed: read.isError, tryAgain: () => void read.refetch() };
}
