import * as v from 'valibot';

export const PASSWORD_MIN = 12;
/** Longer than anyone types, and still cheap to hash. */
const PASSWORD_MAX = 1_024;

export const passwordTooShort = `A password has at least ${PASSWORD_MIN} characters`;

/** A password to check. */
export const Password = v.pipe(v.string(), v.nonEmpty(), v.maxLength(PASSWORD_MAX));

/** A password to set. */
export const NewPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, passwordTooShort),
  v.maxLength(PASSWORD_MAX),
);
