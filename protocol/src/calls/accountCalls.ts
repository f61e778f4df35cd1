import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time, Uuid } from '../model/ids.ts';
import { StaffLanguage } from '../model/language.ts';
import { MadePasskey, PasskeyCreation } from '../model/passkey.ts';
import { NewPassword, Password } from '../model/password.ts';
import { Ticket, TotpCode } from '../model/secondFactor.ts';
import { Role } from '../model/staff.ts';
import { call } from './call.ts';

export const PASSKEY_NAME_MAX = 60;
const PasskeyName = v.pipe(Line, v.nonEmpty(), v.maxLength(PASSKEY_NAME_MAX));

export const Passkey = v.object({
  id: Uuid,
  name: v.string(),
  createdAt: Time,
  lastUsedAt: v.nullable(Time),
});
export type Passkey = v.InferOutput<typeof Passkey>;

/** One of the caller's own sessions. */
const OwnSession = v.object({
  id: Uuid,
  createdAt: Time,
  /** When the person last did something in it. */
  lastUsedAt: Time,
  /** Such as 'Firefox on Android'; may be empty. */
  browser: v.string(),
  /** The shortened address where it was last used, such as '203.0.113.*'; may be empty. */
  network: v.string(),
  /** The session of this call. */
  current: v.boolean(),
});
export type OwnSession = v.InferOutput<typeof OwnSession>;

/** A staff member's account, as only they see it. */
export const Account = v.object({
  email: v.string(),
  name: v.string(),
  role: Role,
  /** False for a person who uses only single sign-on, or has not used the password link yet. */
  hasPassword: v.optional(v.boolean(), true),
  /** When the authenticator app was added; null without one. */
  totpSince: v.nullable(Time),
  passkeys: v.array(Passkey),
  recoveryCodesLeft: v.number(),
  /** Whether this person gets mails when a visitor waits; null if there are none for this account. */
  waitingMail: v.optional(v.nullable(v.boolean()), null),
  /** Open sessions, the last used first. */
  sessions: v.array(OwnSession),
});
export type Account = v.InferOutput<typeof Account>;

/** Returned only once, when the first factor is added. Otherwise null. */
const recoveryCodes = v.nullable(v.array(v.string()));

/**
 * Calls of a staff member about their own account. A session that has not shown a factor or the password recently
 * cannot change a factor: the call is refused with `password_required`. Call `confirmPassword`, then retry. A person
 * without a password signs in again with single sign-on.
 */
export const accountCalls = {
  readAccount: call('GET', '/account', 'account', { answer: { account: Account } }),
  confirmPassword: call('POST', '/account/password/confirm', 'account', { body: { password: Password } }),
  /** Ends every other session. */
  changePassword: call('PUT', '/account/password', 'account', {
    body: { current: Password, password: NewPassword },
  }),
  /** For the console, the admin area and mails, in every browser. */
  saveLanguage: call('PUT', '/account/language', 'account', { body: { language: StaffLanguage } }),
  /** Ends one other session. */
  endSession: call('DELETE', '/account/sessions/:id', 'account'),
  signOutElsewhere: call('POST', '/account/sessions/end-others', 'account', {
    answer: { ended: v.number() },
  }),
  /** A secret for an authenticator app. It becomes active with the first correct code. */
  beginTotp: call('POST', '/account/totp/begin', 'account', {
    answer: { secret: v.string(), uri: v.string(), ticket: v.string() },
  }),
  /** Replaces the previous app. */
  confirmTotp: call('PUT', '/account/totp', 'account', {
    body: { ticket: Ticket, code: TotpCode },
    answer: { recoveryCodes },
  }),
  removeTotp: call('DELETE', '/account/totp', 'account'),
  beginPasskey: call('POST', '/account/passkeys/begin', 'account', {
    answer: { options: PasskeyCreation, ticket: v.string() },
  }),
  addPasskey: call('POST', '/account/passkeys', 'account', {
    body: { ticket: Ticket, name: PasskeyName, response: MadePasskey },
    answer: { recoveryCodes },
  }),
  renamePasskey: call('PUT', '/account/passkeys/:id', 'account', { body: { name: PasskeyName } }),
  removePasskey: call('DELETE', '/account/passkeys/:id', 'account'),
  /** Creates ten new codes. The old ones stop working. */
  renewRecoveryCodes: call('POST', '/account/recovery-codes', 'account', {
    answer: { recoveryCodes: v.array(v.string()) },
  }),
} as const;
