import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useState } from 'react';
import { useAdmin } from '../context.ts';
import { TermQuestion } from './TermQuestion.tsx';

type Term = { days: number | null; inviteId?: string };

export type TermQuestionHook = {
  /** Nothing: go on. Else why not, in words; without a word when somebody thought better of it. */
  ask: (term: Term) => Promise<string | undefined>;
  /** To be drawn outside of every form. */
  question: ReactNode;
};

/** Before conversations are kept for another time: says how many that will cost, and asks. */
export function useTermQuestion(): TermQuestionHook {
  const { session } = useAdmin();
  const [asked, setAsked] = useState<{ conversations: number; answer: (sure: boolean) => void } | null>(null);

  async function ask({ days, inviteId }: Term): Promise<string | undefined> {
    const counted = await session.api('countExpired', {
      query: { ...(days !== null && { days: String(days) }), ...(inviteId !== undefined && { inviteId }) },
    });
    if (!counted.ok) return counted.text || texts.networkError;
    const { conversations } = counted.answer;
    // One chat that stays for now: its own dialog has just been read. A rule for all of them is asked about in any case.
    if (conversations === 0 && inviteId !== undefined) return undefined;
    const sure = await new Promise<boolean>((answer) => setAsked({ conversations, answer }));
    setAsked(null);
    return sure ? undefined : '';
  }

  return {
    ask,
    question: asked && <TermQuestion conversations={asked.conversations} onAnswer={asked.answer} />,
  };
}
