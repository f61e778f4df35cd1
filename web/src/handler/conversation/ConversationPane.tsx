import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { ConversationStatus } from '@settee/protocol/conversation';
import { texts } from '@settee/protocol/texts';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Composer } from '../../chat/Composer.tsx';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import { MessageList } from '../../chat/MessageList.tsx';
import { useLiveConversation } from '../../chat/useLiveConversation.ts';
import { Notice } from '../../ui/Notice.tsx';
import { useConsole, useSignedIn } from '../context.ts';
import { ConversationHeader } from './ConversationHeader.tsx';
import styles from './ConversationPane.module.css';
import { useThread } from './useThread.ts';

type ConversationPaneProps = { conversation: LiveConversation; notFound: ReactNode };

export function ConversationPane({ conversation, notFound }: ConversationPaneProps) {
  const { session, console, drafts } = useSignedIn();
  const { brand, queue } = useConsole();
  const navigate = useNavigate();
  // Back to the list it was opened from.
  const { search } = useLocation();
  const state = useLiveConversation(conversation);
  const [error, setError] = useState<string | null>(null);
  const thread = useThread(conversation, session.api);
  // The queue usually knows the name before the conversation itself has come.
  const visitor = state.view ?? queue?.find((row) => row.conversationId === state.id);
  const name = visitor ? visitorNameOrLabel(visitor) : '';

  async function setStatus(status: ConversationStatus): Promise<void> {
    const answer = await session.api('setStatus', { params: { id: state.id }, body: { status } });
    if (!answer.ok) return setError(answer.text || consoleTexts.statusFailed);
    console.leftQueue(state.id);
    await navigate({ pathname: '/', search });
  }

  if (state.gone) return notFound;
  return (
    <>
      <ConversationHeader
        name={name}
        profileName={brand.displayName}
        onBack={() => void navigate({ pathname: '/', search })}
        onClose={() => void setStatus('closed')}
        onBlock={() => void setStatus('blocked')}
        onSignOut={session.signOut}
      />
      {error && (
        <Notice tone="danger" icon="alert">
          {error}
        </Notice>
      )}
      {state.line === 'down' && state.loaded && <Notice tone="lamp">{texts.connecting}</Notice>}
      <MessageList
        state={state}
        name={name}
        empty={
          <>
            <p className={styles.emptyTitle}>{consoleTexts.staffEmptyTitle}</p>
            <p className={styles.emptyNote}>{consoleTexts.staffEmptyNote}</p>
          </>
        }
        onRetry={conversation.retry}
        {...thread}
      />
      {(state.view?.canSend ?? true) ? (
        <Composer
          look="staff"
          placeholder={consoleTexts.staffPlaceholder}
          hint={consoleTexts.staffHint}
          draft={drafts.read(state.id)}
          onDraft={(text) => drafts.write(state.id, text)}
          onSend={conversation.send}
          onTyping={conversation.typing}
        />
      ) : (
        <p className={styles.closed}>{texts.closedTitle}</p>
      )}
    </>
  );
}
