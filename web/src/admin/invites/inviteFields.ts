import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import { KEEP_DAYS_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { numberIn } from './numbers.ts';

/** What every way of making invites asks. */
export type Common = { alias: string; days: number; keepDays: number | null };

export type CommonFields = {
  alias: string;
  days: string;
  keep: string;
  setAlias: (alias: string) => void;
  setDays: (days: string) => void;
  setKeep: (keep: string) => void;
  daysProblem: string | null;
  keepProblem: string | null;
  /** Null while something is wrong. */
  value: Common | null;
};

export function useCommonFields(aliases: readonly string[]): CommonFields {
  const [alias, setAlias] = useState(aliases[0] ?? '');
  const [days, setDays] = useState(String(INVITE_DEFAULT_DAYS));
  const [keep, setKeep] = useState('');
  const number = numberIn(days, INVITE_DAYS_MAX);
  const keepDays = numberIn(keep, KEEP_DAYS_MAX);
  const keepFine = keep.trim() === '' || keepDays !== null;
  return {
    alias,
    days,
    keep,
    setAlias,
    setDays,
    setKeep,
    daysProblem: number === null ? wholeUpTo(INVITE_DAYS_MAX) : null,
    keepProblem: keepFine ? null : wholeUpTo(KEEP_DAYS_MAX),
    value: number !== null && keepFine ? { alias, days: number, keepDays } : null,
  };
}

/** What the button says that makes so many. */
export function createWords(count: number): string {
  return count <= 1 ? texts.create : fillText(texts.createMany, { count: count.toLocaleString('en') });
}

export function wholeUpTo(max: number): string {
  return fillText(texts.wholeNumber, { max: max.toLocaleString('en') });
}
