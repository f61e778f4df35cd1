import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import type { VisitorApi } from '../connection.ts';
import { VisitorDialog } from './VisitorDialog.tsx';

type EraseDialogProps = {
  api: VisitorApi;
  conversationId: string;
  onErased: (words: { title: string; reason: string }) => void;
  onClose: () => void;
};

export function EraseDialog({ api, conversationId, onErased, onClose }: EraseDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function erase(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const erased = await api('eraseOwn', { params: { id: conversationId } });
    if (erased.ok) return onErased({ title: rightsTexts.erasedTitle, reason: rightsTexts.erasedNote });
    setBusy(false);
    // Do not reveal whether the chat exists: erasing is safe to repeat.
    if (erased.code === 'access_denied') setProblem(rightsTexts.eraseRefused);
    else setProblem(erased.code === 'not_found' ? rightsTexts.eraseNotHere : rightsTexts.eraseFailed);
  }

  return (
    <VisitorDialog
      title={rightsTexts.eraseTitle}
      note={rightsTexts.eraseNote}
      strong={rightsTexts.eraseFinal}
      onClose={onClose}
    >
      <FieldError text={problem} />
      <Button danger aria-disabled={busy} onClick={() => void erase()}>
        {busy ? rightsTexts.eraseBusy : rightsTexts.erase}
      </Button>
    </VisitorDialog>
  );
}
