import { DISPLAY_NAME_MAX, displayNameProblem } from '@settee/protocol/model/displayName';
import { localeOf } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { SetteeDrawing } from '../ui/SetteeDrawing.tsx';
import { useModalDialog } from '../ui/useModalDialog.ts';
import { adviceAfter } from './adviceAfter.ts';
import dialogStyles from './more/VisitorDialog.module.css';
import styles from './NameGate.module.css';

type NameGateProps = {
  /** The host has the other seat. */
  host: string;
  hostIsHere: boolean;
  saving: boolean;
  error: string | null;
  onName: (name: string) => void;
};

/** The drawing shows the visitor seated as soon as the name is valid. */
export function NameGate({ host, hostIsHere, ...props }: NameGateProps) {
  return (
    <main className={styles.gate} data-lamp={hostIsHere}>
      <NameForm {...props} submit={texts.nameSubmit}>
        {(valid, name) => (
          <div className={styles.intro}>
            <div className={styles.drawing}>
              <SetteeDrawing
                seats={hostIsHere ? (valid ? 'two' : 'host') : valid ? 'one' : 'empty'}
                width={260}
              />
            </div>
            <p className={styles.seats}>{valid ? bothNames(host, name) : texts.seatFree}</p>
            <h2 className="headline">{texts.nameTitle}</h2>
            <p className="lead">{texts.nameNote}</p>
          </div>
        )}
      </NameForm>
    </main>
  );
}

function bothNames(...names: string[]): string {
  return new Intl.ListFormat(localeOf()).format(names);
}

type NameFormProps = {
  submit: string;
  initial?: string;
  saving: boolean;
  error: string | null;
  onName: (name: string) => void;
  /** Shown above the field. A function receives whether the name is valid. */
  children: ReactNode | ((valid: boolean, name: string) => ReactNode);
};

export function NameForm({ submit, initial = '', saving, error, onName, children }: NameFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(initial);
  /** The last submitted name. Its error is shown until the name changes. */
  const [submitted, setSubmitted] = useState<string>();
  const problem = displayNameProblem(name) ?? null;
  const failure = submitted === name ? error : null;

  useEffect(() => {
    if (failure) field.current?.focus();
  }, [failure]);

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    setSubmitted(name);
    if (problem) field.current?.focus();
    else if (!saving) onName(name.trim());
  }

  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {typeof children === 'function' ? children(problem === null, name.trim()) : children}
      <Field
        ref={field}
        label={texts.nameLabel}
        aside={
          <span aria-hidden="true">
            {name.length}/{DISPLAY_NAME_MAX}
          </span>
        }
        error={submitted === undefined ? null : (problem ?? failure)}
        advice={problem ? undefined : adviceAfter(failure)}
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={DISPLAY_NAME_MAX}
        autoComplete="given-name"
        autoFocus
        dir="auto"
      />
      <Button type="submit" className={styles.submit} disabled={name.trim() === '' || saving}>
        {saving ? texts.nameBusy : submit}
      </Button>
    </form>
  );
}

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
    <dialog ref={dialog} className={dialogStyles.dialog} aria-labelledby="change-name" onClose={onClose}>
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
        <h2 id="change-name" className={dialogStyles.heading}>
          {texts.changeName}
        </h2>
      </NameForm>
      <Button look="quiet" onClick={() => dialog.current?.close()}>
        {texts.codeCancel}
      </Button>
    </dialog>
  );
}
