import { useState } from 'react';
import type { Failure } from '../net/api.ts';

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}

/** Makes one call at a time. After a failure, the next try goes on where the last one stopped. */
export function inChunks<T>(items: readonly T[], size: number) {
  const waiting = chunksOf(items, size);
  const answers: unknown[] = [];
  return async <A>(
    call: (chunk: T[]) => Promise<{ ok: true; answer: A } | Failure>,
  ): Promise<{ ok: true; answer: A[] } | Failure> => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const result = await call(next);
      if (!result.ok) return result;
      answers.push(result.answer);
      waiting.shift();
    }
    return { ok: true, answer: answers as A[] };
  };
}

/** For a dialog that stays open when a call fails. The items are those that were chosen when it opened. */
export function useChunks<T>(items: readonly T[], size: number) {
  const [callEach] = useState(() => inChunks(items, size));
  return callEach;
}
