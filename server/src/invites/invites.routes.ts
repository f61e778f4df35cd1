import { errors } from '@settee/protocol/calls/errors';
import { type Answer, calls } from '@settee/protocol/calls/http';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { texts } from '@settee/protocol/texts/texts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { type IdToken, signVisitor } from '../platform/auth/idToken.ts';
import { hashInviteToken } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { addressKey, browserName } from '../platform/http/client.ts';
import { orSendInvite } from '../platform/http/otherCell.ts';
import type { Routes } from '../platform/http/route.ts';
import { idParam } from '../platform/http/route.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import {
  readVisitorCookie,
  setVisitorCookie,
  type VisitorSecret,
  visitorOf,
} from '../visitors/visitorCookie.ts';
import { attachInvite } from './attachInvite.ts';
import { claimInvite, seeInvite } from './claimInvite.ts';
import { renewCode } from './continueCode.ts';
import { findInvite } from './invites.store.ts';

/** Refusals after which the visitor may still enter a code. */
const ASK_FOR_CODE: ReadonlySet<ErrorCode> = new Set([
  'code_invalid',
  'code_locked',
  'code_void',
  'too_many',
]);

/**
 * The specification prescribes the answers of check, claim and attach, also for refusals. So these three turn a refusal
 * into an answer here. Earlier failures (no token, a broken body) get the same fields in server.ts.
 */
export function inviteRoutes(app: App) {
  return {
    checkInvite: ({ params, reply }) =>
      orRefusal<Answer<'checkInvite'>>(
        reply,
        () => orSendInvite(app, reply, params.token, () => checkInvite(app, params.token, reply)),
        (error) => ({ success: false, ...calls.checkInvite.refused, error }),
      ),

    claimInvite: ({ caller, body, request, reply }) =>
      orRefusal<Answer<'claimInvite'>>(
        reply,
        async () => {
          requireSameVisitor(app, request, caller);
          const browser = browserName(request.headers['user-agent']);
          const { token } = body;
          const claimed = await orSendInvite(app, reply, token, () =>
            claimInvite(app, caller, { token, browser }),
          );
          const { conversationId, continueCode, secret } = claimed;
          const credentials = await issueCredentials(app, reply, caller, secret);
          return { success: true, conversationId, continueCode, error: null, ...credentials };
        },
        (error) => ({ success: false, ...calls.claimInvite.refused, error }),
      ),

    attachInvite: ({ caller, body, request, reply }) =>
      orRefusal<Answer<'attachInvite'>>(
        reply,
        async () => {
          requireSameVisitor(app, request, caller);
          const { token, code } = body;
          const browser = browserName(request.headers['user-agent']);
          const address = addressKey(request.ip);
          const attached = await orSendInvite(app, reply, token, () =>
            attachInvite(app, caller, { token, code, address, browser }),
          );
          if (attached === undefined) {
            // Status 200: this answers whether a code is needed. It is not a failure.
            return { success: false, conversationId: null, needsCode: true, error: texts.codeRequired };
          }
          const { conversationId, secret } = attached;
          const credentials = await issueCredentials(app, reply, caller, secret);
          return { success: true, conversationId, needsCode: false, error: null, ...credentials };
        },
        (error, code) => ({ success: false, conversationId: null, needsCode: ASK_FOR_CODE.has(code), error }),
      ),

    async seeInvite({ body, request, reply }) {
      await orSendInvite(app, reply, body.token, () => seeInvite(app, body.token));
      return { cookie: readVisitorCookie(app, request) !== undefined };
    },

    renewCode: async ({ caller, params }) => ({
      continueCode: await renewCode(app, caller, idParam(params.id)),
    }),
  } satisfies Partial<Routes>;
}

async function checkInvite(app: App, token: string, reply: FastifyReply): Promise<Answer<'checkInvite'>> {
  const tokenHash = hashInviteToken(token);
  const invite = tokenHash && (await findInvite(app.db, tokenHash));
  if (invite === undefined) throw new Refusal('invite_not_found');
  const { state, expired } = invite;
  const revoked = state === 'REVOKED';
  const problem = revoked ? errors.invite_revoked : expired ? errors.invite_expired : undefined;
  if (problem !== undefined) reply.status(problem.status);
  return {
    success: problem === undefined,
    exists: true,
    expired,
    revoked,
    state,
    error: problem?.text ?? null,
  };
}

async function orRefusal<T>(
  reply: FastifyReply,
  act: () => Promise<T>,
  refusal: (text: string, code: ErrorCode) => T,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reply.request.refusal = error;
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    reply.status(errors[error.code].status);
    return refusal(error.message, error.code);
  }
}

/**
 * The answer may replace the browser's cookie, so the ID token must belong to the same visitor as the cookie. Two tabs
 * that opened at once may have signed in as two visitors; then the page signs in again and repeats the call.
 */
function requireSameVisitor(app: App, request: FastifyRequest, caller: Visitor): void {
  const cookie = readVisitorCookie(app, request);
  if (cookie === undefined) {
    // Our pages send this header. A browser that rejects the cookie would lose its place.
    if (request.headers['sec-fetch-site'] === 'same-origin') throw new Refusal('unauthenticated');
    return;
  }
  const { visitorId, credential } = visitorOf(cookie);
  if (visitorId !== caller.visitorId || !credential.equals(caller.credential)) {
    throw new Refusal('unauthenticated');
  }
}

/** Sets the caller's next secret as a cookie and signs a token for it: the old token may be invalid now. */
function issueCredentials(
  app: App,
  reply: FastifyReply,
  caller: Visitor,
  secret: VisitorSecret | undefined,
): Promise<IdToken> {
  if (secret !== undefined) setVisitorCookie(app, reply, secret);
  return signVisitor(app, secret === undefined ? caller : visitorOf(secret));
}
