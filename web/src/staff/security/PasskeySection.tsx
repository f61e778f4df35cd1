import { PASSKEY_NAME_MAX, type Passkey } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import type { Api } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Card } from '../Card.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
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
        <Button look="outline" onClick={() => setOpen({ what: 'add' })}>
          {accountTexts.passkeyAdd}
        </Button>
      }
    >
      {account.passkeys.length === 0 ? (
        <p className={styles.none}>{accountTexts.passkeysNone}</p>
      ) : (
        <ul className={styles.list}>
          {account.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={(what) => setOpen({ what, passkey })} />
          ))}
        </ul>
      )}
      {open?.what === 'add' && (
        <AddDialog ask={ask} onDone={(codes) => void onChanged(codes)} onClose={close} />
      )}
      {open?.what === 'rename' && (
        <RenameDialog passkey={open.passkey} ask={ask} whenChanged={whenChanged} onClose={close} />
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
      <Button look="bare" aria-label={`${accountTexts.rename}: ${name}`} onClick={() => onOpen('rename')}>
        {accountTexts.rename}
      </Button>
      <Button look="bare" aria-label={`${accountTexts.remove}: ${name}`} onClick={() => onOpen('remove')}>
        {accountTexts.remove}
      </Button>
    </li>
  );
}

type AddDialogProps = {
  ask: Api;
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
};

function AddDialog({ ask, onDone, onClose }: AddDialogProps) {
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

type RenameDialogProps = Pick<SectionProps, 'ask' | 'whenChanged'> & {
  passkey: Passkey;
  onClose: () => void;
};

function RenameDialog({ passkey, ask, whenChanged, onClose }: RenameDialogProps) {
  const [name, setName] = useState(passkey.name);

  return (
    <FormDialog
      title={fillText(accountTexts.renamePasskeyTitle, { name: passkey.name })}
      action={accountTexts.rename}
      onSubmit={() => whenChanged(ask('renamePasskey', { params: { id: passkey.id }, body: { name } }))}
      onClose={onClose}
    >
      <PasskeyName value={name} onChange={setName} />
    </FormDialog>
  );
}

function PasskeyName({ value, onChange }: { value: string; onChange: (name: string) => void }) {
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
