import { PASSWORD_MIN } from '@settee/protocol/model/password';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Card } from '../Card.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { StatusMessage } from './StatusMessage.tsx';
import type { SectionProps } from './useAccount.ts';

export function PasswordSection({ account, ...section }: SectionProps) {
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState(false);
  if (!account.hasPassword) return <Card title={accountTexts.password} note={accountTexts.passwordNone} />;
  return (
    <Card
      title={accountTexts.password}
      actions={
        <Button
          look="outline"
          onClick={() => {
            setChanged(false);
            setOpen(true);
          }}
        >
          {accountTexts.passwordChange}
        </Button>
      }
    >
      <StatusMessage text={changed ? accountTexts.passwordChanged : null} />
      {open && <PasswordDialog {...section} onDone={() => setChanged(true)} onClose={() => setOpen(false)} />}
    </Card>
  );
}

type PasswordDialogProps = Pick<SectionProps, 'ask' | 'whenChanged'> & {
  onDone: () => void;
  onClose: () => void;
};

function PasswordDialog({ ask, whenChanged, ...rest }: PasswordDialogProps) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      {...rest}
      title={accountTexts.passwordChange}
      note={accountTexts.passwordChangeNote}
      action={accountTexts.passwordChange}
      onSubmit={() => whenChanged(ask('changePassword', { body: { current, password } }))}
    >
      <Field
        label={accountTexts.passwordCurrent}
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        label={accountTexts.passwordNew}
        aside={fillText(accountTexts.passwordNewHint, { count: PASSWORD_MIN })}
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
