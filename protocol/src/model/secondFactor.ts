import * as v from 'valibot';
import { PasskeyRequest, ShownPasskey } from './passkey.ts';

const TOTP_DIGITS = 6;

export function cleanTotpCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** From an authenticator app. People type what they see, spaces too. */
export const TotpCode = v.pipe(
  v.string(),
  v.maxLength(32),
  v.transform(cleanTotpCode),
  v.regex(new RegExp(`^[0-9]{${TOTP_DIGITS}}$`), `The code has ${TOTP_DIGITS} digits`),
);

/** An account that needs a second factor may sign in with the password alone for so long after its first sign-in. */
export const SECOND_FACTOR_GRACE_DAYS = 7;

export const RECOVERY_CODES = 10;
/** Without letters that look like digits: 12 of them are 60 bits. */
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const RECOVERY_CODE_LENGTH = 12;

/** As it is kept: what was typed without its dashes, and with digits where letters look like them. */
export function cleanRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

const RecoveryCode = v.pipe(v.string(), v.maxLength(64), v.transform(cleanRecoveryCode), v.nonEmpty());

export const FactorMethod = v.picklist(['totp', 'passkey', 'recovery']);
export type FactorMethod = v.InferOutput<typeof FactorMethod>;

/** The password was right, and something else is asked for. */
export const SecondFactorAsked = v.object({
  /** Stands for the password in the next step; good once, for 5 minutes. */
  ticket: v.string(),
  /** What this account can show. */
  methods: v.array(FactorMethod),
  passkey: v.optional(PasskeyRequest),
});
export type SecondFactorAsked = v.InferOutput<typeof SecondFactorAsked>;

/** One of them, shown. */
export const FactorProof = v.variant('method', [
  v.strictObject({ method: v.literal('totp'), code: TotpCode }),
  v.strictObject({ method: v.literal('recovery'), code: RecoveryCode }),
  v.strictObject({ method: v.literal('passkey'), response: ShownPasskey }),
]);
export type FactorProof = v.InferOutput<typeof FactorProof>;

/** A signed word of the server's own, to be given back as it is. */
export const Ticket = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_048));
