import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/app.ts';
import { cookieName, cookieOptions } from '../../platform/auth/cookies.ts';
import { allow, recordSignInSuccess } from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { SingleSignOn } from '../../platform/config/config.ts';
import { addressKey, sessionOrigin } from '../../platform/http/client.ts';
import { reason } from '../../platform/log/log.ts';
import { markBrowser } from '../knownBrowser.ts';
import { readStaffCookie, setStaffCookie } from '../staffCookie.ts';
import { ATTEMPT_SECONDS, beginAttempt, CALLBACK_PATH, readAttempt } from './provider.ts';
import { signInWithProvider } from './singleSignOn.ts';

const NEXT_MAX = 500;

/** Two addresses that the browser visits, not calls: the way to the provider and the way back. */
export function serveSingleSignOn(app: App, server: FastifyInstance): void {
  const { singleSignOn } = app.config;
  if (singleSignOn === undefined) return;
  const name = cookieName(app.config, 'sso');
  // Lax: the way back starts at the provider's page.
  const cookie = { ...cookieOptions(app.config), sameSite: 'lax', maxAge: ATTEMPT_SECONDS } as const;

  server.get('/auth/staff/sso', { exposeHeadRoute: false }, async (request, reply) => {
    await allow(app, 'strangerCalls', addressKey(request.ip));
    const { next, again } = request.query as { next?: unknown; again?: unknown };
    const wanted = typeof next === 'string' && next.length <= NEXT_MAX ? next : '';
    if (isFromElsewhere(request)) {
      app.security.record({ event: 'access_refused', address: addressKey(request.ip) });
      return back(reply, wanted);
    }
    const options = { next: wanted, replaces: readStaffCookie(app, request), again: again !== undefined };
    const begun = await beginAttempt(app, singleSignOn, options).catch((error: unknown) => ({ error }));
    if ('error' in begun) return failed(app, reply, begun.error, wanted);
    return reply.setCookie(name, begun.kept, cookie).redirect(begun.url);
  });

  server.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    await allow(app, 'strangerCalls', addressKey(request.ip));
    const kept = request.cookies[name] ?? '';
    reply.clearCookie(name, cookie);
    const attempt = readAttempt(app, kept);
    if (attempt === undefined) {
      app.security.record({ event: 'access_refused', address: addressKey(request.ip) });
      return back(reply, '', { problem: 'failed' });
    }
    try {
      // Only now: another site can make a browser visit this address, but without the cookie.
      await allow(app, 'address', addressKey(request.ip));
      return await finish(app, singleSignOn, { request, reply, attempt });
    } catch (error) {
      return failed(app, reply, error, attempt.next);
    }
  });
}

/** Another site must not sign anyone in. Its link leads to our page, where the person decides. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

type Callback = {
  request: FastifyRequest;
  reply: FastifyReply;
  attempt: NonNullable<ReturnType<typeof readAttempt>>;
};

async function finish(
  app: App,
  settings: SingleSignOn,
  { request, reply, attempt }: Callback,
): Promise<FastifyReply> {
  const { identity, ...opened } = await signInWithProvider(app, settings, {
    attempt,
    path: request.url,
    origin: sessionOrigin(request),
  });
  const address = addressKey(request.ip);
  if ('problem' in opened) app.security.record({ event: 'sign_in_failed', address });
  else await recordSignInSuccess(app, { email: identity.email, address });
  if (!('secret' in opened)) return back(reply, attempt.next, opened);
  app.security.record({ event: 'signed_in', address, staffId: opened.staff.staffId });
  setStaffCookie(app, reply, opened.secret);
  markBrowser(app, reply, opened.email);
  return back(reply, attempt.next);
}

function failed(app: App, reply: FastifyReply, error: unknown, next: string): FastifyReply {
  if (error instanceof Refusal && error.code === 'too_many') return back(reply, next, { problem: 'tooMany' });
  app.security.record({ event: 'sign_in_failed', address: addressKey(reply.request.ip) });
  app.log.warn({ reason: reasonOf(error) }, 'single sign-on failed');
  return back(reply, next, { problem: 'failed' });
}

/** With the provider's error code, such as `invalid_client`, or that of the network. */
function reasonOf(error: unknown): string {
  const { error: code, cause } = error as { error?: unknown; cause?: { code?: unknown } };
  const known = [code, cause?.code]
    .filter((each) => typeof each === 'string')
    .find((each) => /^\w{1,40}$/.test(each));
  return known === undefined ? reason(error) : `${reason(error)} (${known})`;
}

/**
 * To the sign-in page, which checks `next`. The result is in the fragment, which browsers never send. The cookie is not
 * sent with this navigation, because it began at another site; the page's own calls send it.
 */
function back(reply: FastifyReply, next: string, result?: object): FastifyReply {
  const query = next === '' ? '' : `?${new URLSearchParams({ next })}`;
  const fragment = result === undefined ? '' : `#sso=${encodeURIComponent(JSON.stringify(result))}`;
  return reply.redirect(`/handler${query}${fragment}`);
}
