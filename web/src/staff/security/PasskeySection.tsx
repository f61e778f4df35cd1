import { PASSKEY_NAME_MAX, type Passkey } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Card } from '../Card.tsx';
import { FormDialog, type FormDialogProps } from '../dialog/FormDialog.tsx';
import type { Reply } from '../useChange.ts';
import styles from './PasskeySection.module.css';
import { addPasskey, deviceName, preparePasskeys } from './passkeys.ts';
import type { SectionProps } from './useAccount.ts';

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

export function PasskeySection({ account, ask, onChanged, whenChanged }: SectionProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);

  return (
    <Card
      title={accountTexts.passkeys}
      note={accountTexts.passkeysNote}
      actions={
        <Button
          look="outline"
          onClick={() => {
            preparePasskeys();
            setOpen({ what: 'add' });
          }}
        >
          {accountTexts.passkeyAdd}
        </Button>
      }
    >
      {account.passkeys.length === 0 ? (
        <p className={styles.none}>{accountTexts.passkeysNone}</p>
      ) : (
        <ul>
          {account.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={(what) => setOpen({ what, passkey })} />
          ))}
        </ul>
      )}
      {open?.what === 'add' && (
        <NameDialog
          title={accountTexts.passkeyAdd}
          note={accountTexts.passkeyNote}
          action={accountTexts.continue}
          current={deviceName()}
          onSubmit={(name) => addPasskey(ask, name)}
          onDone={({ recoveryCodes }) => onChanged(recoveryCodes)}
          onClose={close}
        />
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title={fillText(accountTexts.renamePasskeyTitle, { name: open.passkey.name })}
          action={accountTexts.rename}
          current={open.passkey.name}
          onSubmit={(name) =>
            whenChanged(ask('renamePasskey', { params: { id: open.passkey.id }, body: { name } }))
          }
          onClose={close}
        />
      )}
      {open?.what === 'remove' && (
        <FormDialog
          title={fillText(accountTexts.removePasskeyTitle, { name: open.passkey.name })}
          note={accountTexts.removePasskeyNote}
          action={accountTexts.remove}
          danger
          onSubmit={() => whenChanged(ask('removePasskey', { params: { id: open.passkey.id } }))}
          onClose={close}
        />
      )}
    </Card>
  );
}

type PasskeyRowProps = { passkey: Passkey; onOpen: (what: 'rename' | 'remove') => void };

function PasskeyRow({ passkey, onOpen }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt } = passkey;
  const now = Date.now();
  const used =
    lastUsedAt === null
      ? accountTexts.passkeyUnused
      : fillText(accountTexts.passkeyUsed, { date: dateAndTime(lastUsedAt, now) });
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>
          {fillText(accountTexts.passkeyAdded, { date: dateAndTime(createdAt, now) })} · {used}
        </small>
      </span>
      <Button
        look="bare"
        aria-label={fillText(accountTexts.renameOf, { name })}
        onClick={() => onOpen('rename')}
      >
        {accountTexts.rename}
      </Button>
      <Button
        look="bare"
        aria-label={fillText(accountTexts.removeOf, { name })}
        onClick={() => onOpen('remove')}
      >
        {accountTexts.remove}
      </Button>
    </li>
  );
}

type NameDialogProps<R extends Reply> = Omit<FormDialogProps<R>, 'onSubmit'> & {
  current: string;
  onSubmit: (name: string) => R;
};

function NameDialog<R extends Reply>({ current, onSubmit, ...rest }: NameDialogProps<R>) {
  const [name, setName] = useState(current);
  return (
    <FormDialog {...rest} onSubmit={() => onSubmit(name)}>
      <Field
        label={accountTexts.passkeyName}
        required
        maxLength={PASSKEY_NAME_MAX}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
