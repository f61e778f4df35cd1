import { texts } from '@settee/protocol/texts/texts';

/** Texts that say only that something failed. */
const failures: readonly (string | null)[] = [
  texts.networkError,
  texts.codeFailed,
  texts.claimFailed,
  texts.attachFailed,
  texts.nameFailed,
];

/** What to do after this text, if the text does not say it. */
export function adviceAfter(failure: string | null): string | undefined {
  return failures.includes(failure) ? texts.tryHelp : undefined;
}
