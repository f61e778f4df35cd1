import type { FoundConversation, FoundMessage } from '@settee/protocol/model/search';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../context.ts';

const QUIET_MS = 150;

export type SearchResult = {
  /** The query it answers; the field may have changed. */
  query: string;
  conversations: readonly FoundConversation[];
  messages: readonly FoundMessage[];
  complete: boolean;
  failed: boolean;
};

const nothing = { conversations: [], messages: [], complete: true, failed: false };

/** Searches after typing pauses. Only the latest answer counts. */
export function useSearch(typed: string) {
  const { session } = useSignedIn();
  const query = typed.trim();
  const [searched, setSearched] = useState<SearchResult | null>(null);

  useEffect(() => {
    if (query === '') return setSearched(null);
    let outdated = false;
    const ask = async () => {
      const found = await session.api('search', { query: { q: query } });
      if (outdated) return;
      setSearched(found.ok ? { ...nothing, ...found.answer, query } : { ...nothing, query, failed: true });
    };
    const timer = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [session, query]);

  return { searched: query === '' ? null : searched, searching: query !== '' && searched?.query !== query };
}
