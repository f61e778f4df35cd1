import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import { NameForm } from '../NameGate.tsx';
import styles from './VisitorDialog.module.css';

type ChangeNameProps = {
  name: string;
  saving: boolean;
  error: string | null;
  onName: (name: string) => void;
  onClose: () => void;
};

export function ChangeName({ name, saving, error, onName, onClose }: ChangeNameProps) {
  const dialog = useModalDialog();
  const wasSaving = useRef(false);
  /** The error of an earlier attempt is not shown. */
  const [tried, setTried] = useState(false);

  useEffect(() => {
    if (wasSaving.current && !saving && error === null) dialog.current?.close();
    wasSaving.current = saving;
  }, [dialog, saving, error]);

  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="change-name" onClose={onClose}>
      <NameForm
        initial={name}
        saving={saving}
        error={tried ? error : null}
        submit={texts.save}
        onName={(chosen) => {
          setTried(true);
          onName(chosen);
        }}
      >
        <h2 id="change-name" className={styles.heading}>
          {texts.changeName}
        </h2>
      </NameForm>
      <Button look="quiet" onClick={() => dialog.current?.close()}>
        {texts.codeCancel}
      </Button>
    </dialog>
  );
}
