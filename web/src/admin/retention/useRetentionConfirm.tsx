import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useAdmin } from '../context.ts';
import styles from './RetentionDialog.module.css';

type Term = { days: number | null; inviteId?: string; profile?: string | undefined };

/** Before a retention change, shows how many conversations it erases and asks. */
export function useRetentionConfirm() {
  const { session } = useAdmin();
  const [asked, setAsked] = useState<{ conversations: number; answer: (sure: boolean) => void } | null>(null);

  /** Undefined to go on, otherwise an error text. The text is empty if the user cancelled. */
  async function ask({ days, inviteId, profile }: Term): Promise<string | undefined> {
    const counted = await session.api('countExpired', {
      query: {
        ...(days !== null && { days: String(days) }),
        ...(inviteId !== undefined && { inviteId }),
        ...(profile !== undefined && { profile }),
      },
    });
    if (!counted.ok) return counted.text;
    const { conversations } = counted.answer;
    // No chat is erased now, and the invite's dialog already explained the change. A change for all chats is
    // always confirmed.
    if (conversations === 0 && inviteId !== undefined) return undefined;
    const sure = await new Promise<boolean>((answer) => setAsked({ conversations, answer }));
    setAsked(null);
    return sure ? undefined : '';
  }

  return {
    ask,
    /** Must be rendered outside of any form. */
    question: asked && <RetentionDialog conversations={asked.conversations} onAnswer={asked.answer} />,
  };
}

type RetentionDialogProps = {
  /** Conversations that will be erased within the hour. */
  conversations: number;
  onAnswer: (sure: boolean) => void;
};

/** A typing error could erase years of conversations, so the count is shown. */
function RetentionDialog({ conversations, onAnswer }: RetentionDialogProps) {
  const none = conversations === 0;
  return (
    <FormDialog
      title={erasureTexts.termTitle}
      action={none ? adminTexts.save : erasureTexts.termErase}
      danger={!none}
      mark={none ? staffShapes.clock : staffShapes.warning}
      onSubmit={() => undefined}
      onDone={() => onAnswer(true)}
      // A second answer has no effect.
      onClose={() => onAnswer(false)}
    >
      <div className={styles.cost} data-danger={!none}>
        <p>{fillText(erasureTexts.termErases, { count: conversations })}</p>
        {!none && <strong>{erasureTexts.eraseFinal}</strong>}
      </div>
    </FormDialog>
  );
}
