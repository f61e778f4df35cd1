import { PASSKEY_NAME_MAX } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { useEffect, useState } from 'react';
import type { Api } from '../../net/api.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { addPasskey, deviceName, preparePasskeys } from './passkeys.ts';

type PasskeyDialogProps = {
  ask: Api;
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
};

/** Names a passkey, then creates it. */
export function PasskeyDialog({ ask, onDone, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState(deviceName);
  useEffect(preparePasskeys, []);

  async function add(): Promise<string | undefined> {
    const added = await addPasskey(ask, name);
    if ('error' in added) return added.error;
    onDone(added.recoveryCodes);
    return undefined;
  }

  return (
    <FormDialog
      title={accountTexts.passkeyAdd}
      note={accountTexts.passkeyNote}
      action={accountTexts.continue}
      onSubmit={add}
      onClose={onClose}
    >
      <PasskeyName value={name} onChange={setName} />
    </FormDialog>
  );
}

export function PasskeyName({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Field
      label={accountTexts.passkeyName}
      required
      maxLength={PASSKEY_NAME_MAX}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
