import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

/** A whole number from 1 on, as it was typed; null when it is none. */
export function numberIn(typed: string, max: number): number | null {
  const number = Number(typed.trim());
  return /^\d+$/.test(typed.trim()) && number >= 1 && number <= max ? number : null;
}

/** What is wrong with it; an empty field is not wrong. */
export function numberProblem(typed: string, max: number): string | null {
  if (typed.trim() === '' || numberIn(typed, max) !== null) return null;
  return fillText(texts.wholeNumber, { max: max.toLocaleString('en') });
}
