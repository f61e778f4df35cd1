import { CONTINUE_CODE_LENGTH } from '@settee/protocol/invite';
import { texts } from '@settee/protocol/texts';
import { useEffect, useMemo, useReducer } from 'react';
import { ActiveView } from './ActiveView.tsx';
import type { Connection } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { inviteFlow } from './invite.ts';
import { LoadingView } from './LoadingView.tsx';
import { later } from './later.tsx';
import { loadForms } from './loadForms.ts';
import { hasRoom, pageReducer } from './page.ts';
import { storedSeat } from './seat.ts';
import { UnclaimedView } from './UnclaimedView.tsx';
import { useProfile } from './useProfile.ts';

/** For who comes on a second device. It follows the loading of the page, which only goes on a little longer. */
const CodeView = later(
  () => loadForms().then((forms) => forms.CodeView),
  () => <ErrorView title={texts.inviteErrorTitle} reason={texts.networkError} />,
  () => <LoadingView />,
);

export function InvitePage({ token, connection }: { token: string; connection: Connection }) {
  const [page, dispatch] = useReducer(pageReducer, { view: 'loading' });
  // An error needs no line, and a room has its own.
  const follows = page.view !== 'loading' && page.view !== 'error' && !hasRoom(page);
  const [profile, hear] = useProfile(connection, follows);
  const flow = useMemo(() => {
    const { api, tokens } = connection;
    const seat = storedSeat(() => localStorage, token);
    const forget = (id: string | null) =>
      void import('./more/forgetChat.ts').then((chat) => chat.forgetChat(token, id)).catch(console.error);
    return inviteFlow({ token, api, tokens, seat, now: Date.now, dispatch, forget });
  }, [token, connection]);

  useEffect(() => void flow.load(), [flow]);
  useEffect(() => {
    // The name is asked next. Who needs the forms asks again, should they not come.
    if (page.view === 'unclaimed') loadForms().catch(() => undefined);
  }, [page.view]);

  switch (page.view) {
    case 'loading':
      return <LoadingView />;
    case 'error':
      return <ErrorView title={page.title ?? texts.inviteErrorTitle} reason={page.reason} />;
    case 'unclaimed':
      return <UnclaimedView profile={profile} starting={page.starting} onStart={flow.start} />;
    case 'needsCode':
      return (
        <CodeView brand={profile.brand} page={page} length={CONTINUE_CODE_LENGTH} onCode={flow.enterCode} />
      );
    case 'active':
      return (
        <ActiveView
          page={page}
          profile={profile}
          connection={connection}
          onFrame={hear}
          onGone={flow.losePlace}
          onName={(name) => flow.giveName(page, name)}
          onErased={flow.erased}
          onFreshCode={async () => page.conversationId && flow.makeCode(page.conversationId)}
          onDismissBanner={() => dispatch({ type: 'bannerDismissed' })}
        />
      );
  }
}
