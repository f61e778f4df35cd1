import type { MadeLink as Made, ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { useAdmin } from '../context.ts';
import { CreatedLink } from './CreatedLink.tsx';
import styles from './dialogs.module.css';
import { inviteName } from './inviteText.ts';

type ShowOnceDialogProps = {
  title: string;
  action: string;
  /** Returns an error text, or undefined on success. */
  onConfirm: () => Promise<string | undefined>;
  onClose: () => void;
  /** Shown once. The dialog stays open until it is confirmed. */
  result: ReactNode;
  children: ReactNode;
};

/** A confirmation whose result is shown once, in the same dialog. */
function ShowOnceDialog({ title, action, onConfirm, onClose, result, children }: ShowOnceDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  const done = Boolean(result);
  useEffect(() => {
    if (done) shown.current?.focus();
  }, [done]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError((await onConfirm()) ?? null);
    setBusy(false);
  }

  return (
    <Dialog title={title} held={busy || done} onClose={onClose}>
      {(close) =>
        done ? (
          <>
            <div ref={shown} className={styles.made} role="status" tabIndex={-1}>
              {result}
            </div>
            <div className={buttons.buttons}>
              <Button onClick={close}>{texts.done}</Button>
            </div>
          </>
        ) : (
          <form onSubmit={(event) => void submit(event)}>
            {children}
            <FieldError text={error} />
            <div className={buttons.buttons}>
              <Button look="outline" disabled={busy} onClick={close}>
                {consoleTexts.cancel}
              </Button>
              <Button type="submit" disabled={busy}>
                {action}
              </Button>
            </div>
          </form>
        )
      }
    </Dialog>
  );
}

/** Creates another link for the invite. */
export function ReplaceLink({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const [made, setMade] = useState<Made | null>(null);
  const { id, handlerAlias, state } = invite;
  const label = inviteName(invite);

  async function replace(): Promise<string | undefined> {
    const replaced = await session.api('replaceLink', { params: { id } });
    if (!replaced.ok) return replaced.text;
    setMade(replaced.answer);
    return undefined;
  }

  return (
    <ShowOnceDialog
      title={fillText(made ? texts.replacedTitle : texts.replaceTitle, { label })}
      action={texts.replaceLink}
      onConfirm={replace}
      onClose={onClose}
      result={
        made && <CreatedLink invite={{ ...made, label, alias: handlerAlias }} lasting={state === 'BOUND'} />
      }
    >
      <p className={styles.note}>{texts.replaceNote}</p>
      {state === 'BOUND' && <p className={styles.note}>{texts.replaceNoteBound}</p>}
    </ShowOnceDialog>
  );
}

/** Creates a new continue code for the administrator to pass on. */
export function ResetCode({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const [code, setCode] = useState<string | null>(null);
  const { id } = invite;
  const label = inviteName(invite);

  async function reset(): Promise<string | undefined> {
    const made = await session.api('resetCode', { params: { id } });
    if (!made.ok) return made.text;
    setCode(made.answer.continueCode);
    return undefined;
  }

  return (
    <ShowOnceDialog
      title={fillText(code ? texts.resetDoneTitle : texts.resetTitle, { label })}
      action={texts.resetCode}
      onConfirm={reset}
      onClose={onClose}
      result={code && <Code code={code} />}
    >
      <p className={styles.note}>{texts.resetNote}</p>
    </ShowOnceDialog>
  );
}

function Code({ code }: { code: string }) {
  const { copied, copy } = useCopy();
  return (
    <>
      <p className={styles.code}>{code}</p>
      <p className={styles.note}>{texts.codeShownOnce}</p>
      <Button look="outline" onClick={() => void copy(code)}>
        {copied ? adminTexts.copied : texts.copyCode}
      </Button>
    </>
  );
}
