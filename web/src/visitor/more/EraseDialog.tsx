import { rightsTexts } from '@settee/protocol/rightsTexts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import type { VisitorApi } from '../connection.ts';
import { Question } from './Question.tsx';

type EraseDialogProps = {
  api: VisitorApi;
  conversationId: string;
  onErased: (words: { title: string; reason: string }) => void;
  onClose: () => void;
};

export function EraseDialog({ api, conversationId, onErased, onClose }: EraseDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);

  async function erase(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailed(false);
    const erased = await api('eraseOwn', { params: { id: conversationId } });
    // It was not there any more: another device was quicker, or the answer to an earlier try was lost.
    if (erased.ok || erased.code === 'not_found') {
      return onErased({ title: rightsTexts.erasedTitle, reason: rightsTexts.erasedNote });
    }
    setBusy(false);
    setFailed(true);
  }

  return (
    <Question
      title={rightsTexts.eraseTitle}
      note={rightsTexts.eraseNote}
      strong={rightsTexts.eraseFinal}
      onClose={onClose}
    >
      <FieldError text={failed ? rightsTexts.eraseFailed : null} />
      <Button danger aria-disabled={busy} onClick={() => void erase()}>
        {busy ? rightsTexts.eraseBusy : rightsTexts.erase}
      </Button>
    </Question>
  );
}
