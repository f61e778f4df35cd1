import { adminTexts } from '@settee/protocol/adminTexts';
import { fillText } from '@settee/protocol/fillText';
import { rightsTexts } from '@settee/protocol/rightsTexts';
import { useRef } from 'react';
import { Confirm } from '../parts/Confirm.tsx';

type TermQuestionProps = {
  /** How many go within the hour. */
  conversations: number;
  onAnswer: (sure: boolean) => void;
};

/** A number mistyped is years of conversations: what one must read before that is their count. */
export function TermQuestion({ conversations, onAnswer }: TermQuestionProps) {
  const sure = useRef(false);

  async function confirm(): Promise<undefined> {
    sure.current = true;
  }

  return (
    <Confirm
      title={rightsTexts.termTitle}
      action={conversations === 0 ? adminTexts.save : rightsTexts.termErase}
      danger
      onConfirm={confirm}
      onClose={() => onAnswer(sure.current)}
    >
      <p>{costOf(conversations)}</p>
      <p>
        <strong>{rightsTexts.manageEraseFinal}</strong>
      </p>
    </Confirm>
  );
}

function costOf(conversations: number): string {
  if (conversations === 0) return rightsTexts.termErasesNone;
  if (conversations === 1) return rightsTexts.termErasesOne;
  return fillText(rightsTexts.termErasesMany, { count: conversations.toLocaleString('en') });
}
