import { texts } from '@settee/protocol/texts';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { ActiveView } from './ActiveView.tsx';
import { CodeView } from './CodeView.tsx';
import type { Connection } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { inviteFlow } from './invite.ts';
import { LoadingView } from './LoadingView.tsx';
import { pageReducer } from './page.ts';
import { loadProfile, type Profile } from './profile.ts';
import { storedSeat } from './seat.ts';
import { UnclaimedView } from './UnclaimedView.tsx';

export function InvitePage({ token, connection }: { token: string; connection: Connection }) {
  const [page, dispatch] = useReducer(pageReducer, { view: 'loading' });
  const [profile, setProfile] = useState<Profile | null>(null);
  const flow = useMemo(() => {
    const { api, tokens } = connection;
    return inviteFlow({ token, api, tokens, seat: storedSeat(localStorage, token), now: Date.now, dispatch });
  }, [token, connection]);

  useEffect(() => void flow.load(), [flow]);
  useEffect(() => void loadProfile(connection.api).then(setProfile), [connection]);
  useEffect(() => {
    if (profile) document.title = profile.brand.displayName;
  }, [profile]);

  if (page.view === 'error') return <ErrorView title={texts.inviteErrorTitle} reason={page.reason} />;
  if (page.view === 'loading' || !profile) return <LoadingView />;
  switch (page.view) {
    case 'unclaimed':
      return <UnclaimedView profile={profile} starting={page.starting} onStart={flow.start} />;
    case 'needsCode':
      return <CodeView brand={profile.brand} page={page} onCode={flow.enterCode} />;
    case 'active':
      return (
        <ActiveView
          page={page}
          profile={profile}
          connection={connection}
          onProfile={setProfile}
          onName={(name) => flow.giveName(page, name)}
          onFreshCode={() => page.conversationId && flow.makeCode(page.conversationId)}
          onDismissBanner={() => dispatch({ type: 'bannerDismissed' })}
        />
      );
  }
}
