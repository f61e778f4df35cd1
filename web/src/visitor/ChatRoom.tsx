import { texts } from '@settee/protocol/texts';
import { type ReactNode, useMemo } from 'react';
import { Composer } from '../chat/Composer.tsx';
import { storedDrafts } from '../chat/drafts.ts';
import type { LiveConversation } from '../chat/liveConversation.ts';
import { olderLoader } from '../chat/loadOlder.ts';
import { MessageList } from '../chat/MessageList.tsx';
import { useLiveConversation } from '../chat/useLiveConversation.ts';
import type { Live } from '../net/live.ts';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './ActiveView.module.css';
import { ChatBell } from './bell/ChatBell.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import type { VisitorApi } from './connection.ts';
import type { Profile } from './profile.ts';
import { useLine } from './useLine.ts';

const drafts = storedDrafts(() => localStorage);

const endWords = {
  outdated: texts.pageOutdated,
  signed_out: texts.signedOutHere,
  too_many_sockets: texts.tooManyTabs,
} as const;

type ChatRoomProps = {
  room: { live: Live; conversation: LiveConversation };
  profile: Profile;
  api: VisitorApi;
  banner: ReactNode;
};

export function ChatRoom({ room: { live, conversation }, profile, api, banner }: ChatRoomProps) {
  const state = useLiveConversation(conversation);
  const line = useLine(live);
  const loadOlder = useMemo(() => olderLoader(api, conversation), [api, conversation]);
  const ended = state.gone ? 'signed_out' : live.endReason();
  const canSend = state.view?.canSend ?? true;
  const reopens = canSend && state.view?.status === 'closed';

  return (
    <>
      <ChatHeader
        profile={profile}
        connecting={line !== 'fine'}
        tools={<ChatBell name={profile.brand.displayName} state={state} />}
      />
      <main className={styles.room}>
        {line === 'offline' && (
          <Notice tone="lamp" icon="retry">
            {texts.offlineBanner}
          </Notice>
        )}
        {ended && (
          <Notice tone="danger" icon="alert">
            {endWords[ended]}
          </Notice>
        )}
        {banner}
        <MessageList
          state={state}
          name={profile.brand.displayName}
          empty={<p className={styles.empty}>{texts.visitorEmpty}</p>}
          top={
            <p className={styles.private}>
              <Icon name="lock" size={15} />
              {texts.privateNote}
            </p>
          }
          onRetry={conversation.retry}
          onLooked={conversation.looked}
          onNearTop={() => void loadOlder()}
        />
        {reopens && <Notice tone="lamp">{texts.reopenNote}</Notice>}
        {canSend ? (
          <Composer
            look="visitor"
            placeholder={texts.visitorPlaceholder}
            draft={drafts.read(state.id)}
            onDraft={(text) => drafts.write(state.id, text)}
            onSend={conversation.send}
            onTyping={conversation.typing}
          />
        ) : (
          <footer className={styles.closed}>
            <strong>{texts.closedTitle}</strong>
            <p>{texts.closedNote}</p>
          </footer>
        )}
      </main>
    </>
  );
}
