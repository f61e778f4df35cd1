import type { Failure } from '../net/api.ts';

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}

/** Makes a call for each chunk, until one fails. */
export async function callForChunks<T, A>(
  items: readonly T[],
  size: number,
  call: (chunk: T[]) => Promise<{ ok: true; answer: A } | Failure>,
): Promise<{ ok: true; answer: A[] } | Failure> {
  const answers: A[] = [];
  for (const chunk of chunksOf(items, size)) {
    const result = await call(chunk);
    if (!result.ok) return result;
    answers.push(result.answer);
  }
  return { ok: true, answer: answers };
}
