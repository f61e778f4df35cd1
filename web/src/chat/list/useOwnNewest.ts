import { useRef } from 'react';

type Own = { id: string; at: number };

/** What this side wrote or picked last, whatever became of it since: an upload that turns into a message is not new. */
export function useOwnNewest(pending: readonly Own[], uploads: readonly Own[] = []): string | undefined {
  const newest = useRef<Own>(undefined);
  for (const own of [...pending, ...uploads]) {
    if (own.at > (newest.current?.at ?? 0)) newest.current = own;
  }
  return newest.current?.id;
}
