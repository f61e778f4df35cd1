import * as v from 'valibot';
import { peopleTexts } from '../texts/peopleTexts.ts';

export const PASSWORD_MIN = 12;
/** Longer than anyone types, and still cheap to hash. */
const PASSWORD_MAX = 1_024;

/** A password to check. */
export const Password = v.pipe(v.string(), v.nonEmpty(), v.maxLength(PASSWORD_MAX));

/** A password to set. */
export const NewPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, () => peopleTexts.passwordTooShort),
  v.maxLength(PASSWORD_MAX),
);
