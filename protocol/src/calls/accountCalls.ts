import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time, Uuid } from '../model/ids.ts';
import { MadePasskey, PasskeyCreation } from '../model/passkey.ts';
import { NewPassword, Password } from '../model/password.ts';
import { Ticket, TotpCode } from '../model/secondFactor.ts';
import { Role } from '../model/staff.ts';
import { call, none, success } from './call.ts';

export const PASSKEY_NAME_MAX = 60;
const PasskeyName = v.pipe(Line, v.nonEmpty(), v.maxLength(PASSKEY_NAME_MAX));

export const Passkey = v.object({
  id: Uuid,
  name: v.string(),
  createdAt: Time,
  lastUsedAt: v.nullable(Time),
});
export type Passkey = v.InferOutput<typeof Passkey>;

/** A staff member's account, as only they see it. */
export const Account = v.object({
  email: v.string(),
  name: v.string(),
  role: Role,
  /** When the authenticator app was added; null without one. */
  totpSince: v.nullable(Time),
  passkeys: v.array(Passkey),
  recoveryCodesLeft: v.number(),
  /** Number of other open sessions. */
  otherSessions: v.number(),
});
export type Account = v.InferOutput<typeof Account>;

/** Returned only once, when the first factor is added. Otherwise null. */
const recoveryCodes = v.nullable(v.array(v.string()));

/**
 * Calls of a staff member about their own account. A session that has not shown a factor or the password recently
 * cannot change a factor: the call is refused with `password_required`. Call `confirmPassword`, then retry.
 */
export const accountCalls = {
  readAccount: call({
    method: 'GET',
    path: '/account',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success, account: Account }),
  }),
  confirmPassword: call({
    method: 'POST',
    path: '/account/password/confirm',
    auth: 'account',
    query: none,
    body: v.strictObject({ password: Password }),
    answer: v.object({ success }),
  }),
  /** Ends every other session. */
  changePassword: call({
    method: 'PUT',
    path: '/account/password',
    auth: 'account',
    query: none,
    body: v.strictObject({ current: Password, password: NewPassword }),
    answer: v.object({ success }),
  }),
  signOutElsewhere: call({
    method: 'POST',
    path: '/account/sessions/end-others',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success, ended: v.number() }),
  }),
  /** A secret for an authenticator app. It becomes active with the first correct code. */
  beginTotp: call({
    method: 'POST',
    path: '/account/totp/begin',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success, secret: v.string(), uri: v.string(), ticket: v.string() }),
  }),
  /** Replaces the previous app. */
  confirmTotp: call({
    method: 'PUT',
    path: '/account/totp',
    auth: 'account',
    query: none,
    body: v.strictObject({ ticket: Ticket, code: TotpCode }),
    answer: v.object({ success, recoveryCodes }),
  }),
  removeTotp: call({
    method: 'DELETE',
    path: '/account/totp',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  beginPasskey: call({
    method: 'POST',
    path: '/account/passkeys/begin',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success, options: PasskeyCreation, ticket: v.string() }),
  }),
  addPasskey: call({
    method: 'POST',
    path: '/account/passkeys',
    auth: 'account',
    query: none,
    body: v.strictObject({ ticket: Ticket, name: PasskeyName, response: MadePasskey }),
    answer: v.object({ success, recoveryCodes }),
  }),
  renamePasskey: call({
    method: 'PUT',
    path: '/account/passkeys/:id',
    auth: 'account',
    query: none,
    body: v.strictObject({ name: PasskeyName }),
    answer: v.object({ success }),
  }),
  removePasskey: call({
    method: 'DELETE',
    path: '/account/passkeys/:id',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  /** Creates ten new codes. The old ones stop working. */
  renewRecoveryCodes: call({
    method: 'POST',
    path: '/account/recovery-codes',
    auth: 'account',
    body: none,
    query: none,
    answer: v.object({ success, recoveryCodes: v.array(v.string()) }),
  }),
} as const;
