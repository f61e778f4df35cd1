import type { Down } from '@settee/protocol/down';
import { useEffect, useState } from 'react';
import type { LiveConversation } from '../chat/liveConversation.ts';
import type { Live } from '../net/live.ts';
import styles from './ActiveView.module.css';
import { ChatHeader } from './ChatHeader.tsx';
import { ChatRoom } from './ChatRoom.tsx';
import { CodeBanner } from './CodeBanner.tsx';
import type { Connection } from './connection.ts';
import { NameGate } from './NameGate.tsx';
import type { Page } from './page.ts';
import type { Profile } from './profile.ts';

type ActiveViewProps = {
  page: Extract<Page, { view: 'active' }>;
  profile: Profile;
  connection: Connection;
  /** The line also brings what is new of the profile. */
  onFrame: (frame: Down) => void;
  onName: (name: string) => void;
  onDismissBanner: () => void;
};

export function ActiveView(props: ActiveViewProps) {
  const { page, profile, connection, onFrame, onName, onDismissBanner } = props;
  const [room, setRoom] = useState<{ live: Live; conversation: LiveConversation } | null>(null);
  const { conversationId, named } = page;

  // The socket waits for the name: before it there is nothing to read, and its token would be the wrong one.
  useEffect(() => {
    if (!conversationId || !named) return;
    const opened = connection.open(conversationId);
    setRoom(opened);
    return () => {
      opened.conversation.stop();
      opened.live.stop();
    };
  }, [connection, conversationId, named]);

  useEffect(() => room?.live.onFrame(onFrame), [room, onFrame]);

  const banner = page.banner && <CodeBanner code={page.banner} onDismiss={onDismissBanner} />;
  return (
    <div className={styles.app}>
      {named && room ? (
        <ChatRoom room={room} profile={profile} api={connection.api} banner={banner} />
      ) : (
        <>
          <ChatHeader profile={profile} connecting={false} />
          {banner}
          <NameGate saving={page.saving} error={page.nameError} onName={onName} />
        </>
      )}
    </div>
  );
}
