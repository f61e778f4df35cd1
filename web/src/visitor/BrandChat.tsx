import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { useCallback, useEffect, useState } from 'react';
import { useKeyboard } from '../browser/useKeyboard.ts';
import { Button } from '../ui/Button.tsx';
import { SetteeDrawing } from '../ui/SetteeDrawing.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import columnStyles from './ActiveView.module.css';
import styles from './BrandChat.module.css';
import { BellPlace } from './bell/BellPlace.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import type { Connection } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { LoadingView } from './LoadingView.tsx';
import { mailedConversation, pathOfChat } from './mailedChat.ts';
import pageStyles from './Page.module.css';
import { useProfile } from './useProfile.ts';

type Visitor = { state: 'loading' | 'none' } | { state: 'known'; id: string };

/** The page of the public profile, without a conversation, and the way from a mail to the chat. */
export function BrandChat({ connection }: { connection: Connection }) {
  const [mailed] = useState(() => mailedConversation(location.hash));
  return mailed === undefined ? (
    <ProfileView connection={connection} />
  ) : (
    <MailedChat conversationId={mailed} />
  );
}

function MailedChat({ conversationId }: { conversationId: string }) {
  const [path] = useState(() => pathOfChat(conversationId));
  useEffect(() => {
    if (path !== undefined) location.replace(path);
  }, [path]);
  if (path !== undefined) return <LoadingView />;
  return <ErrorView title={visitorMailTexts.elsewhereTitle} reason={visitorMailTexts.elsewhereNote} />;
}

function ProfileView({ connection }: { connection: Connection }) {
  const [visitor, setVisitor] = useState<Visitor>({ state: 'loading' });
  const [profile] = useProfile(connection, visitor.state === 'known');
  useKeyboard();

  const signIn = useCallback(async () => {
    setVisitor({ state: 'loading' });
    const { api, tokens } = connection;
    const user = await api('signInAnonymously', {});
    if (user.ok) tokens.keep(user.answer);
    setVisitor(user.ok ? { state: 'known', id: user.answer.visitorId } : { state: 'none' });
  }, [connection]);
  useEffect(() => void signIn(), [signIn]);

  return (
    <div className={columnStyles.app}>
      <ChatHeader
        profile={profile}
        connecting={false}
        nobody={texts.offline}
        tools={
          <BellPlace
            connection={connection}
            visitorId={visitor.state === 'known' ? visitor.id : undefined}
            loading={visitor.state === 'loading'}
          />
        }
      />
      <main className={styles.body}>
        {visitor.state === 'loading' && (
          <p className={styles.loading} role="status">
            <Spinner size={28} />
            {texts.loading}
          </p>
        )}
        {visitor.state === 'none' && (
          <div className="centre">
            <div className={pageStyles.drawing}>
              <SetteeDrawing seats="empty" />
            </div>
            <div role="alert">
              <h2 className="headline">{texts.authErrorShort}</h2>
              <p className="lead">{texts.authErrorNote}</p>
            </div>
            <Button onClick={() => void signIn()}>{texts.retry}</Button>
          </div>
        )}
      </main>
    </div>
  );
}
