import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type ReactNode, useCallback, useState } from 'react';
import type { Api } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import buttons from '../dialog/DialogButtons.module.css';
import styles from '../dialog/FormDialog.module.css';
import { Dialog, FormDialog } from '../dialog/FormDialog.tsx';
import type { SessionStore } from '../session.ts';
import { startSingleSignOn } from '../startSingleSignOn.ts';

type Waiting = { way: Way; go: (confirmed: boolean) => void };
/** How the person can confirm. `provider` is the name of single sign-on. */
type Way = { password: true } | { password: false; provider: string | null };

/**
 * If the server requires the password, a dialog asks for it and the call is repeated. A person without a password has to
 * sign in again, which leaves the page. Render the dialog.
 */
export function useConfirmedApi({ api }: SessionStore): { ask: Api; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const ask = useCallback<Api>(
    async (name, parts) => {
      const answer = await api(name, parts);
      if (answer.ok || answer.code !== 'password_required') return answer;
      const way = await readWay(api);
      const confirmed = await new Promise<boolean>((go) => setWaiting({ way, go }));
      setWaiting(null);
      return confirmed ? api(name, parts) : answer;
    },
    [api],
  );

  return { ask, dialog: waiting && dialogFor(api, waiting) };
}

function dialogFor(api: Api, { way, go }: Waiting): ReactNode {
  if (way.password) return <ConfirmPasswordDialog api={api} onDone={go} />;
  return <NoPasswordDialog provider={way.provider} onDone={() => go(false)} />;
}

async function readWay(api: Api): Promise<Way> {
  const read = await api('readAccount', {});
  if (!read.ok || read.answer.account.hasPassword) return { password: true };
  const signIn = await api('readSignIn', {});
  return { password: false, provider: signIn.ok ? signIn.answer.singleSignOn : null };
}

function NoPasswordDialog({ provider, onDone }: { provider: string | null; onDone: () => void }) {
  const title = accountTexts.againWithProvider;
  if (provider === null) {
    return (
      <Dialog title={title} onClose={onDone}>
        {(close) => (
          <>
            <p className={styles.note}>{accountTexts.againWithoutPasswordNote}</p>
            <div className={buttons.buttons}>
              <Button onClick={close}>{accountTexts.gotIt}</Button>
            </div>
          </>
        )}
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      note={fillText(accountTexts.againWithProviderNote, { name: provider })}
      action={accountTexts.signInAgain}
      onSubmit={() => {
        startSingleSignOn({ again: true });
        // The dialog stays until the page is left.
        return '';
      }}
      onClose={onDone}
    />
  );
}

function ConfirmPasswordDialog({ api, onDone }: { api: Api; onDone: (confirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={accountTexts.againTitle}
      note={accountTexts.againNote}
      action={accountTexts.confirm}
      onSubmit={() => api('confirmPassword', { body: { password } })}
      onDone={() => onDone(true)}
      // A second answer has no effect.
      onClose={() => onDone(false)}
    >
      <Field
        label={consoleTexts.signInPassword}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
