import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { useRef } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import styles from './TermQuestion.module.css';

type TermQuestionProps = {
  /** How many go within the hour. */
  conversations: number;
  onAnswer: (sure: boolean) => void;
};

/** A number mistyped is years of conversations: what one must read before that is their count. */
export function TermQuestion({ conversations, onAnswer }: TermQuestionProps) {
  const sure = useRef(false);
  const none = conversations === 0;

  async function confirm(): Promise<undefined> {
    sure.current = true;
  }

  return (
    <FormDialog
      title={rightsTexts.termTitle}
      action={none ? adminTexts.save : rightsTexts.termErase}
      danger={!none}
      mark={none ? staffShapes.clock : staffShapes.warning}
      onSubmit={confirm}
      onClose={() => onAnswer(sure.current)}
    >
      <div className={styles.cost} data-danger={!none}>
        <p>{costOf(conversations)}</p>
        {!none && <strong>{rightsTexts.manageEraseFinal}</strong>}
      </div>
    </FormDialog>
  );
}

function costOf(conversations: number): string {
  if (conversations === 0) return rightsTexts.termErasesNone;
  if (conversations === 1) return rightsTexts.termErasesOne;
  return fillText(rightsTexts.termErasesMany, { count: conversations.toLocaleString('en') });
}
