import type { ConversationDetails } from '@settee/protocol/model/details';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useSignedIn } from '../context.ts';

/** Minimum time between reads in a burst of messages. */
const READ_EVERY_MS = 1_000;
/** For returning to a chat. */
const FRESH_FOR_MS = 30_000;

export type DetailsParts = {
  conversationId: string;
  /** The details change with each message. */
  head: number;
  /** The messages are loaded, so the details may load. */
  ready: boolean;
};

export function useDetails({
  conversationId,
  head,
  ready,
}: DetailsParts): UseQueryResult<ConversationDetails> {
  const { session } = useSignedIn();
  const readAt = useRef(head);
  const query = useQuery({
    queryKey: ['details', conversationId],
    enabled: ready,
    staleTime: FRESH_FOR_MS,
    queryFn: async () => {
      readAt.current = head;
      const answer = await readOrThrow(session.api, 'readDetails', { params: { id: conversationId } });
      return answer.details;
    },
  });
  const { dataUpdatedAt, refetch } = query;

  useEffect(() => {
    if (!dataUpdatedAt || head === readAt.current) return;
    const wait = Math.max(0, dataUpdatedAt + READ_EVERY_MS - Date.now());
    const timer = setTimeout(() => void refetch(), wait);
    return () => clearTimeout(timer);
  }, [head, dataUpdatedAt, refetch]);

  return query;
}
