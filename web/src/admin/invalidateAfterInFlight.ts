import type { QueryClient, QueryKey } from '@tanstack/react-query';

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
