/**
 * An e-mail address for comparisons. Folds A to Z only: about other letters, JavaScript and PostgreSQL disagree, and `İ`
 * would match an account whose limits do not count it.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
