import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { Api } from '../../net/api.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import type { SessionStore } from '../session.ts';

type Waiting = { go: (confirmed: boolean) => void };

/** If the server requires the password, a dialog asks for it and the call is repeated. Render the dialog. */
export function useConfirmedApi({ api }: SessionStore): { ask: Api; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const ask = useCallback<Api>(
    async (name, parts) => {
      const answer = await api(name, parts);
      if (answer.ok || answer.code !== 'password_required') return answer;
      const confirmed = await new Promise<boolean>((go) => setWaiting({ go }));
      setWaiting(null);
      return confirmed ? api(name, parts) : answer;
    },
    [api],
  );

  return { ask, dialog: waiting && <ConfirmPasswordDialog api={api} onDone={waiting.go} /> };
}

function ConfirmPasswordDialog({ api, onDone }: { api: Api; onDone: (confirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const confirmed = useRef(false);

  async function confirm(): Promise<string | undefined> {
    const answer = await api('confirmPassword', { body: { password } });
    if (!answer.ok) return answer.text;
    confirmed.current = true;
    return undefined;
  }

  return (
    <FormDialog
      title={accountTexts.againTitle}
      note={accountTexts.againNote}
      action={accountTexts.confirm}
      onSubmit={confirm}
      // After the dialog has returned the focus.
      onClose={() => onDone(confirmed.current)}
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
