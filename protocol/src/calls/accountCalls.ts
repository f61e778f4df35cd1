import * as v from 'valibot';
import { Time, Uuid } from '../model/ids.ts';
import { StaffLanguage } from '../model/language.ts';
import { Line } from '../model/line.ts';
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

/** Refusals of every change of a factor. */
const factor = ['password_required', 'second_factor_required'] as const;

/**
 * Calls of a staff member about their own account. A session that has not shown a factor or the password recently
 * cannot change a factor: the call is refused with `password_required`. Call `confirmPassword`, then retry. A person
 * without a password signs in again with single sign-on.
 */
export const accountCalls = {
  readAccount: call({
    route: 'GET /account',
    summary: 'Read the caller’s account and factors.',
    auth: 'account',
    answer: { account: Account },
  }),
  confirmPassword: call({
    route: 'POST /account/password/confirm',
    summary: 'Confirm the password. Allows changes of factors for some minutes.',
    auth: 'account',
    rate: ['staffWrites', 'ownpassword'],
    body: { password: Password },
  }),
  changePassword: call({
    route: 'PUT /account/password',
    summary: 'Change the caller’s password and end all other sessions.',
    auth: 'account',
    rate: ['staffWrites', 'ownpassword'],
    body: { current: Password, password: NewPassword },
  }),
  endSession: call({
    route: 'DELETE /account/sessions/:id',
    summary: 'End one of the caller’s other sessions.',
    auth: 'account',
  }),
  /** For the console, the admin area and mails, in every browser. */
  saveLanguage: call({
    route: 'PUT /account/language',
    summary: 'Choose the caller’s language, for every browser and for mails.',
    auth: 'account',
    body: { language: StaffLanguage },
  }),
  /** Mails to the caller when a visitor has been waiting for ten minutes. */
  saveWaitingMail: call({
    route: 'PUT /account/waiting-mail',
    summary: 'Turn mails about waiting visitors on or off, for the caller.',
    auth: 'account',
    body: { on: v.boolean() },
  }),
  signOutElsewhere: call({
    route: 'POST /account/sessions/end-others',
    summary: 'End the caller’s other sessions.',
    auth: 'account',
    answer: { ended: v.number() },
  }),
  /** A secret for an authenticator app. It becomes active with the first correct code. */
  beginTotp: call({
    route: 'POST /account/totp/begin',
    summary: 'Begin to set up an authenticator app.',
    auth: 'account',
    refusals: factor,
    answer: { secret: v.string(), uri: v.string(), ticket: v.string() },
  }),
  /** Replaces the previous app. */
  confirmTotp: call({
    route: 'PUT /account/totp',
    summary: 'Finish setting up the authenticator app with one of its codes.',
    auth: 'account',
    refusals: [...factor, 'code_invalid'],
    body: { ticket: Ticket, code: TotpCode },
    answer: { recoveryCodes },
  }),
  removeTotp: call({
    route: 'DELETE /account/totp',
    summary: 'Remove the authenticator app.',
    auth: 'account',
    refusals: [...factor, 'not_found'],
  }),
  beginPasskey: call({
    route: 'POST /account/passkeys/begin',
    summary: 'Begin to add a passkey.',
    auth: 'account',
    refusals: factor,
    answer: { options: PasskeyCreation, ticket: v.string() },
  }),
  addPasskey: call({
    route: 'POST /account/passkeys',
    summary: 'Add the passkey that the browser created.',
    auth: 'account',
    refusals: factor,
    body: { ticket: Ticket, name: PasskeyName, response: MadePasskey },
    answer: { recoveryCodes },
  }),
  renamePasskey: call({
    route: 'PUT /account/passkeys/:id',
    summary: 'Rename a passkey.',
    auth: 'account',
    body: { name: PasskeyName },
  }),
  removePasskey: call({
    route: 'DELETE /account/passkeys/:id',
    summary: 'Remove a passkey.',
    auth: 'account',
    refusals: factor,
  }),
  /** Creates ten new codes. The old ones stop working. */
  renewRecoveryCodes: call({
    route: 'POST /account/recovery-codes',
    summary: 'Create ten new recovery codes.',
    auth: 'account',
    refusals: factor,
    answer: { recoveryCodes: v.array(v.string()) },
  }),
} as const;
