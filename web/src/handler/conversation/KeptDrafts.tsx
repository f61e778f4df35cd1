import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useState, useSyncExternalStore } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { openDraft } from '../../chat/outbox/draft.ts';
import { Button } from '../../ui/Button.tsx';
import { useSignedIn } from '../context.ts';
import styles from './ConversationPane.module.css';

type KeptDraftsProps = { conversationId: string };

/** What was typed into the reply and the note before the composer went away. */
export function KeptDrafts({ conversationId }: KeptDraftsProps) {
  return (
    <>
      <KeptDraft key={conversationId} conversationId={conversationId} />
      <KeptDraft key={`${conversationId}-note`} conversationId={conversationId} note />
    </>
  );
}

function KeptDraft({ conversationId, note }: KeptDraftsProps & { note?: true }) {
  const { unsent } = useSignedIn();
  const [draft] = useState(() => openDraft(unsent, conversationId, note));
  const text = useSyncExternalStore(draft.subscribe, draft.read);
  const { copied, copy } = useCopy();
  if (text.trim() === '') return null;
  return (
    <div className={styles.draft}>
      <b>{consoleTexts.draftMark}</b>
      <p dir="auto">{text}</p>
      <Button look="outline" onClick={() => void copy(text)}>
        {copied ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}
