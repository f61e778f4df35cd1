import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { type ReactNode, useMemo } from 'react';
import { Composer } from '../../chat/Composer.tsx';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import { olderLoader } from '../../chat/loadOlder.ts';
import { MessageList } from '../../chat/MessageList.tsx';
import { useLiveConversation } from '../../chat/useLiveConversation.ts';
import { Notice } from '../../ui/Notice.tsx';
import { useConsole, useSignedIn } from '../context.ts';
import { DetailsPlace } from '../details/DetailsPlace.tsx';
import { BlockDialog } from './BlockDialog.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import styles from './ConversationPane.module.css';
import { HandOverDialog } from './HandOverDialog.tsx';
import { ReadOnlyNote } from './ReadOnlyNote.tsx';
import { useConversationActions } from './useConversationActions.ts';

type ConversationPaneProps = { conversation: LiveConversation; notFound: ReactNode };

export function ConversationPane({ conversation, notFound }: ConversationPaneProps) {
  const { session, staff, drafts } = useSignedIn();
  const { brand, queue } = useConsole();
  const state = useLiveConversation(conversation);
  const loadOlder = useMemo(() => olderLoader(session.api, conversation), [session, conversation]);
  // The queue usually knows the name before the conversation itself has come.
  const visitor = state.view ?? queue?.find((row) => row.conversationId === state.id);
  const name = visitor ? visitorNameOrLabel(visitor) : '';

  const status = state.view?.status;
  const actions = useConversationActions({ id: state.id, name, status, gone: state.gone });

  // What has been on the page stays there to be read; what never was is not found.
  if (state.gone && !state.loaded) return notFound;
  return (
    <>
      <ConversationHeader
        name={name}
        profileName={brand.displayName}
        staffId={staff.staffId}
        status={status}
        readOnly={state.gone}
        onBack={actions.back}
        onClose={actions.close}
        onReopen={actions.reopen}
        onBlock={actions.block}
        onTransfer={actions.transfer}
        onMarkUnread={actions.markUnread}
        onDetails={actions.details}
        onSignOut={session.signOut}
      />
      {actions.error && (
        <Notice tone="danger" icon="alert">
          {actions.error}
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
        onLooked={conversation.looked}
        loadOlder={loadOlder}
      />
      {state.gone ? (
        <ReadOnlyNote onBack={actions.back} />
      ) : (state.view?.canSend ?? true) ? (
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
      {visitor && (
        <DetailsPlace
          visitor={visitor}
          conversationId={state.id}
          open={actions.asking === 'details'}
          onClose={actions.onAsked}
        />
      )}
      {actions.asking === 'block' && (
        <BlockDialog name={name} onBlock={actions.onBlock} onClose={actions.onAsked} />
      )}
      {actions.asking === 'transfer' && (
        <HandOverDialog
          conversationId={state.id}
          name={name}
          onDone={actions.onHandedOver}
          onClose={actions.onAsked}
        />
      )}
    </>
  );
}
