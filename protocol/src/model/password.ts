import * as v from 'valibot';

export const PASSWORD_MIN = 12;
/** More than anybody types, and little work to hash. */
const PASSWORD_MAX = 1_024;

export const passwordTooShort = `A password has at least ${PASSWORD_MIN} characters`;

/** One that is typed to be compared. */
export const Password = v.pipe(v.string(), v.nonEmpty(), v.maxLength(PASSWORD_MAX));

/** One that is chosen. */
export const NewPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, passwordTooShort),
  v.maxLength(PASSWORD_MAX),
);
