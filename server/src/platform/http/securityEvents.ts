import type { CallName } from '@settee/protocol/calls/http';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import type { FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import { isDoctorAddress } from '../auth/doctorProbe.ts';
import type { Refusal } from '../auth/refusal.ts';
import { MISTAKES, type SecurityEvent } from '../log/securityLog.ts';
import { addressKey } from './client.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the call was refused, for the security log. */
    refusal?: Refusal;
    /** Who signed in or called, for the security log. */
    staffId?: string;
    /** The API key that called. */
    keyId?: string;
  }
}

const REFUSED: Partial<Record<ErrorCode, SecurityEvent['event']>> = {
  ...MISTAKES,
  too_many: 'limit_reached',
  unauthenticated: 'access_refused',
  access_denied: 'access_refused',
  second_factor_required: 'access_refused',
  password_required: 'access_refused',
  sign_in_failed: 'sign_in_failed',
  second_factor_failed: 'sign_in_failed',
  code_invalid: 'code_refused',
  code_locked: 'code_refused',
  code_void: 'code_refused',
  invite_not_found: 'unknown_link',
  link_void: 'unknown_link',
};

const SUCCEEDED: Partial<Record<CallName, SecurityEvent['event']>> = {
  signInStaff: 'signed_in',
  confirmSignIn: 'signed_in',
  setUp: 'signed_in',
  signOutStaff: 'signed_out',
  changePassword: 'password_changed',
  choosePassword: 'password_changed',
};

/** Reports a finished call that matters for security. */
export function recordCall(app: App, call: CallName | undefined, reply: FastifyReply): void {
  const { request } = reply;
  const { refusal, staffId, keyId } = request;
  // Every page asks whether it is signed in. Most are not.
  if (call === 'refreshStaff' && refusal?.code === 'unauthenticated') return;
  const event = refusal
    ? REFUSED[refusal.code]
    : reply.statusCode < 400 && call
      ? SUCCEEDED[call]
      : undefined;
  if (event === undefined) return;
  // `settee doctor` tries to sign in, to see which address the gateway counts.
  if (event === 'sign_in_failed' && isDoctorAddress(app.config, (request.body as { email?: unknown })?.email))
    return;
  // The first of two steps is no sign-in.
  if (event === 'signed_in' && staffId === undefined) return;
  app.security.record({
    event,
    call,
    code: refusal?.code,
    limit: refusal?.limit,
    address: addressKey(request.ip),
    staffId,
    keyId,
  });
}
