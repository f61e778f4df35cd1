import * as v from 'valibot';
import { accountTexts } from '../texts/accountTexts.ts';
import { PasskeyRequest, ShownPasskey } from './passkey.ts';

const TOTP_DIGITS = 6;

export function cleanTotpCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** From an authenticator app. People also type the spaces that the app shows. */
export const TotpCode = v.pipe(
  v.string(),
  v.maxLength(32),
  v.transform(cleanTotpCode),
  v.regex(new RegExp(`^[0-9]{${TOTP_DIGITS}}$`), accountTexts.codeDigits),
);

/** How long after the first sign-in an account that needs a second factor can sign in with only the password. */
export const SECOND_FACTOR_GRACE_DAYS = 7;

export const RECOVERY_CODES = 10;
/** Without letters that look like digits. 12 characters have 60 bits. */
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const RECOVERY_CODE_LENGTH = 12;

/** The stored form: without dashes, and with digits instead of letters that look like them. */
export function cleanRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

const RecoveryCode = v.pipe(v.string(), v.maxLength(64), v.transform(cleanRecoveryCode), v.nonEmpty());

export const FactorMethod = v.picklist(['totp', 'passkey', 'recovery']);
export type FactorMethod = v.InferOutput<typeof FactorMethod>;

/** The password was correct. A second factor is required. */
export const SecondFactorAsked = v.object({
  /** Replaces the password in the next step; valid once, for 5 minutes. */
  ticket: v.string(),
  /** The factors of this account. */
  methods: v.array(FactorMethod),
  passkey: v.optional(PasskeyRequest),
});
export type SecondFactorAsked = v.InferOutput<typeof SecondFactorAsked>;

/** Proof of one factor. */
export const FactorProof = v.variant('method', [
  v.strictObject({ method: v.literal('totp'), code: TotpCode }),
  v.strictObject({ method: v.literal('recovery'), code: RecoveryCode }),
  v.strictObject({ method: v.literal('passkey'), response: ShownPasskey }),
]);
export type FactorProof = v.InferOutput<typeof FactorProof>;

/** A value signed by the server, to be returned unchanged. */
export const Ticket = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_048));
