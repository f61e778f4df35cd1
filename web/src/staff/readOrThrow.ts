import type { Answer, CallName } from '@settee/protocol/calls/http';
import type { Api, RequestParts } from '../net/api.ts';

/** Makes a call for React Query, which needs a rejected promise when the call fails. */
export async function readOrThrow<N extends CallName>(
  api: Api,
  name: N,
  parts: RequestParts<N>,
): Promise<Answer<N>> {
  const result = await api(name, parts);
  if (!result.ok) throw new Error(result.text);
  return result.answer;
}
