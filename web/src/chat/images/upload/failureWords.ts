import { texts } from '@settee/protocol/texts/texts';

/** What is said of an upload that failed: with the reason, where it is not just the line. */
export function failureWords(problem: string | null): string {
  const known = problem === null || problem === texts.networkError || problem === texts.notSent;
  return known ? texts.notSent : `${texts.notSent} ${problem}`;
}
