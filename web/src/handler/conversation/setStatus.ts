import type { Body } from '@settee/protocol/calls/http';
import type { Api, Result } from '../../net/api.ts';

/**
 * During an upgrade, a gateway of the previous release refuses unknown fields. Repeat the call without them,
 * unless that would make a temporary block permanent.
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
