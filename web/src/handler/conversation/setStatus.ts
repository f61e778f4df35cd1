import type { Body } from '@settee/protocol/calls/http';
import type { Api, Result } from '../../net/api.ts';

/**
 * During an upgrade a new page may meet a gateway of the release before, which refuses fields that it does not know.
 * It is asked again without them, unless that would make a block for some hours one without an end.
 */
export async function setStatus(
  api: Api<'setStatus'>,
  id: string,
  body: Body<'setStatus'>,
): Promise<Result<'setStatus'>> {
  const params = { id };
  const answer = await api('setStatus', { params, body });
  const { status, hours } = body;
  const isPlain = Object.keys(body).length === 1;
  if (answer.ok || answer.code !== 'bad_request' || isPlain || hours !== undefined) return answer;
  return api('setStatus', { params, body: { status } });
}
