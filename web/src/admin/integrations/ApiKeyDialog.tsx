import { API_KEY_NAME_MAX, Scope } from '@settee/protocol/model/apiKey';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { Choices } from './Choices.tsx';

type Expiry = keyof typeof apiKeyTexts.expiryOptions;

/** Numbers come first in an object, so `never` is last. */
const expiries = Object.entries(apiKeyTexts.expiryOptions).map(([value, text]) => ({ value, text }));

type ApiKeyDialogProps = { onClose: () => void; onCreated: (name: string, secret: string) => void };

export function ApiKeyDialog({ onClose, onCreated }: ApiKeyDialogProps) {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('365');

  function create() {
    if (name.trim() === '') return apiKeyTexts.nameMissing;
    if (scopes.length === 0) return apiKeyTexts.scopesMissing;
    const days = expiry === 'never' ? null : Number(expiry);
    return ask('createApiKey', { body: { name, scopes: [...scopes], days } });
  }

  return (
    <>
      <FormDialog
        title={apiKeyTexts.createTitle}
        action={apiKeyTexts.create}
        onSubmit={create}
        onDone={({ secret }) => onCreated(name, secret)}
        onClose={onClose}
      >
        <TextField
          label={apiKeyTexts.name}
          hint={apiKeyTexts.nameHint}
          value={name}
          onChange={setName}
          maxLength={API_KEY_NAME_MAX}
          autoComplete="off"
        />
        <Choices
          legend={apiKeyTexts.scopes}
          options={Scope.options}
          hints={apiKeyTexts.scopeTexts}
          chosen={scopes}
          onChange={setScopes}
        />
        <Select
          label={apiKeyTexts.expiry}
          value={expiry}
          onChange={(event) => setExpiry(event.target.value as Expiry)}
          options={expiries}
        />
      </FormDialog>
      {dialog}
    </>
  );
}
