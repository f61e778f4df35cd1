import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useCallback, useEffect, useState } from 'react';
import { LoadingPage, StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordForm } from './PasswordForm.tsx';

type State =
  | { phase: 'checking' }
  | { phase: 'void'; reason: string }
  | { phase: 'failed'; reason: string }
  | { phase: 'open'; name: string; email: string }
  | { phase: 'saved' };

/** The page of a one-time link, where staff choose a password. */
export function PasswordPage({ session }: { session: SessionStore }) {
  const [state, setState] = useState<State>({ phase: 'checking' });
  // Kept here, because it is removed from the address after use.
  const [token] = useState(() => location.hash.slice(1));

  const check = useCallback(async () => {
    setState({ phase: 'checking' });
    const read = await session.api('openPasswordLink', { body: { token } });
    if (read.ok) setState({ phase: 'open', ...read.answer });
    else setState({ phase: read.code === 'link_void' ? 'void' : 'failed', reason: read.text });
  }, [session, token]);
  useEffect(() => {
    document.title = peopleTexts.passwordTitle;
    void check();
    // Another link in the same tab changes only the fragment.
    const reload = () => location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, [check]);

  switch (state.phase) {
    case 'checking':
      return (
        <LoadingPage
          title={peopleTexts.passwordTitle}
          note={peopleTexts.passwordChecking}
          label={peopleTexts.passwordChecking}
        />
      );
    case 'void':
      return (
        <StatePage title={peopleTexts.linkVoidTitle} note={state.reason} alert>
          <ToSignIn />
        </StatePage>
      );
    case 'failed':
      return (
        <StatePage title={peopleTexts.passwordTitle} note={state.reason} alert>
          <Button onClick={() => void check()}>{texts.tryAgain}</Button>
        </StatePage>
      );
    case 'open':
      return (
        <PasswordForm
          name={state.name}
          email={state.email}
          save={(password) => session.api('choosePassword', { body: { token, password } })}
          onSaved={() => {
            // The used token is removed from the history.
            history.replaceState(null, '', location.pathname);
            setState({ phase: 'saved' });
          }}
          onVoid={(reason) => setState({ phase: 'void', reason })}
        />
      );
    case 'saved':
      return (
        <StatePage title={peopleTexts.passwordSaved} note={peopleTexts.passwordSavedNote}>
          <ToSignIn />
        </StatePage>
      );
  }
}

function ToSignIn() {
  return (
    <Button autoFocus onClick={() => location.assign('/handler')}>
      {peopleTexts.toSignIn}
    </Button>
  );
}
