import { CONTINUE_CODE_LENGTH } from '@settee/protocol/model/invite';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'react';
import { reloadPage } from '../browser/reloadPage.ts';
import { ActiveView } from './ActiveView.tsx';
import type { Connection } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { dropTap, takeTap } from './firstTap.ts';
import { type Farewell, inviteFlow, retryPause } from './invite.ts';
import { LoadingView } from './LoadingView.tsx';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import { loadForms } from './loadForms.ts';
import { opensChat, type Page, pageReducer } from './page.ts';
import { hasLeftChats, savedChat } from './savedChat.ts';
import { UnclaimedView } from './UnclaimedView.tsx';
import { useProfile } from './useProfile.ts';

/** For a second device. The loading view stays until the form has loaded. */
const CodeView = lazyWithFallback(
  () => loadForms().then((forms) => forms.CodeView),
  () => <ErrorView title={texts.inviteErrorTitle} reason={texts.networkError} onRetry={reloadPage} />,
  () => <LoadingView />,
);

/** The page title before the profile's name. Empty for the chat. */
function stepOf(page: Page): string {
  switch (page.view) {
    case 'error':
      return page.title ?? texts.inviteErrorTitle;
    case 'unclaimed':
      return texts.unclaimedTitle;
    case 'needsCode':
      return texts.codeTitle;
    default:
      return page.view === 'active' && !page.named ? texts.nameTitle : '';
  }
}

function forgetLeft(): void {
  void import('./more/forgetChat.ts').then((chats) => chats.forgetLeftChats()).catch(console.error);
}

/** In the history entry, because nothing of a deleted chat stays on the device. */
const tab = {
  read: () => (history.state as { farewell?: Farewell } | null)?.farewell,
  write: (farewell: Farewell) => history.replaceState({ ...history.state, farewell }, ''),
};

export function InvitePage({ token, connection }: { token: string; connection: Connection }) {
  const [page, dispatch] = useReducer(pageReducer, { view: 'loading' });
  // An error page needs no socket, and a chat has one.
  const follows = page.view !== 'loading' && page.view !== 'error' && !opensChat(page);
  const [profile, updateProfile] = useProfile(connection, follows, stepOf(page));
  const flow = useMemo(() => {
    const { api, once, tokens } = connection;
    const saved = savedChat(() => localStorage, token);
    return inviteFlow({ token, api, once, tokens, saved, now: Date.now, dispatch, forgetLeft, tab });
  }, [token, connection]);

  useEffect(() => void flow.load(), [flow]);
  useLayoutEffect(() => {
    if (page.view === 'loading' || page.view === 'active') return;
    const startable = page.view === 'unclaimed' && page.invite !== 'BOUND';
    if (!startable) dropTap();
    else if (takeTap()) void flow.start();
  }, [page, flow]);
  useEffect(() => {
    if (hasLeftChats()) forgetLeft();
  }, []);
  useEffect(() => {
    if (page.view !== 'error' || !page.again) return;
    const retry = () => void flow.load();
    const timer = setTimeout(retry, retryPause());
    addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [page, flow]);

  function tryAgain(): void {
    dispatch({ type: 'retried' });
    void flow.load();
  }

  switch (page.view) {
    case 'loading':
      return <LoadingView />;
    case 'error':
      return (
        <ErrorView
          title={page.title ?? texts.inviteErrorTitle}
          reason={page.reason}
          onRetry={page.again ? tryAgain : undefined}
        />
      );
    case 'unclaimed':
      return (
        <UnclaimedView
          profile={profile}
          starting={page.starting}
          onStart={flow.start}
          onCode={page.invite === 'BOUND' ? () => dispatch({ type: 'codeNeeded', note: null }) : undefined}
        />
      );
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
          onProfile={updateProfile}
          onGone={flow.onAccessLost}
          onName={(name) => flow.giveName(page, name)}
          onErased={flow.erased}
          onShowCode={flow.showCode}
          onRenewCode={async () => page.conversationId && flow.renewCode(page.conversationId)}
          onCode={flow.codeChanged}
          onDismissBanner={() => dispatch({ type: 'bannerDismissed' })}
        />
      );
  }
}
