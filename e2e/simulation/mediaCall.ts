import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { mediaRoutes } from '../../server/src/http/media.ts';
import type { Gateway } from './gateway.ts';

type Name = keyof typeof mediaCalls;
type Route = (incoming: object) => Promise<object | undefined>;

/** The calls with the pattern of their addresses. */
const CALLS = Object.entries(mediaCalls).map(([name, { method, path }]) => ({
  name: name as Name,
  method,
  pattern: new RegExp(`${path.replaceAll(/:([a-z]+)/gi, '(?<$1>[^/]+)')}$`),
}));

/** The answer of a gateway to a call about an image. */
export async function mediaCall(
  gateway: Gateway,
  address: string,
  { method, headers, body }: RequestInit,
): Promise<Response> {
  const found = CALLS.find((each) => each.method === method && each.pattern.test(address));
  if (found === undefined) throw new Error(`there is no call ${method} ${address}`);
  const params = found.pattern.exec(address)?.groups;
  const { authorization = '' } = headers as Record<string, string>;
  const result = await gateway.call(authorization.replace('Bearer ', ''), (app, caller) => {
    const route = mediaRoutes(app)[found.name] as Route;
    const sent = typeof body === 'string' ? (JSON.parse(body) as object) : undefined;
    return route({ caller, params, body: sent, reply: { raw: { once() {} } } });
  });
  const status = result.ok ? 200 : result.code === 'unauthenticated' ? 401 : 400;
  const answer = result.ok
    ? { success: true, ...result.answer }
    : { success: false, error: 'refused', code: result.code };
  const noHeaders = { get: () => null } as unknown as Headers;
  return { ok: result.ok, status, headers: noHeaders, json: async () => answer } as Response;
}
