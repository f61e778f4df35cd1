import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import type { Failure } from '../../net/api.ts';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { useAdmin } from '../context.ts';
import { CreatedLink } from './CreatedLink.tsx';
import styles from './dialogs.module.css';
import { inviteName } from './inviteText.ts';

type ShowOnceDialogProps = {
  title: string;
  doneTitle: string;
  action: string;
  /** The answer is what is shown once. */
  onConfirm: () => Promise<{ ok: true; answer: ReactElement } | Failure>;
  onClose: () => void;
  children: ReactNode;
};

/** A confirmation whose result is shown once, in the same dialog. It stays open until it is confirmed. */
function ShowOnceDialog({ title, doneTitle, action, onConfirm, onClose, children }: ShowOnceDialogProps) {
  const { busy, error, submit } = useChange();
  const [result, setResult] = useState<ReactElement | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result) shown.current?.focus();
  }, [result]);

  return (
    <Dialog title={result ? doneTitle : title} held={busy || result !== null} onClose={onClose}>
      {(close) =>
        result ? (
          <>
            <div ref={shown} className={styles.made} role="status" tabIndex={-1}>
              {result}
            </div>
            <div className={buttons.buttons}>
              <Button onClick={close}>{texts.done}</Button>
            </div>
          </>
        ) : (
          <form onSubmit={submit(onConfirm, { done: setResult })}>
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
  const { id, handlerAlias, state } = invite;
  const label = inviteName(invite);

  async function replace() {
    const replaced = await session.api('replaceLink', { params: { id } });
    if (!replaced.ok) return replaced;
    const made = { ...replaced.answer, label, alias: handlerAlias };
    return { ok: true as const, answer: <CreatedLink invite={made} lasting={state === 'BOUND'} /> };
  }

  return (
    <ShowOnceDialog
      title={fillText(texts.replaceTitle, { label })}
      doneTitle={fillText(texts.replacedTitle, { label })}
      action={texts.replaceLink}
      onConfirm={replace}
      onClose={onClose}
    >
      <p className={styles.note}>{texts.replaceNote}</p>
      {state === 'BOUND' && <p className={styles.note}>{texts.replaceNoteBound}</p>}
    </ShowOnceDialog>
  );
}

/** Creates a new continue code for the administrator to pass on. */
export function ResetCode({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const { id } = invite;
  const label = inviteName(invite);

  async function reset() {
    const made = await session.api('resetCode', { params: { id } });
    return made.ok ? { ok: made.ok, answer: <Code code={made.answer.continueCode} /> } : made;
  }

  return (
    <ShowOnceDialog
      title={fillText(texts.resetTitle, { label })}
      doneTitle={fillText(texts.resetDoneTitle, { label })}
      action={texts.resetCode}
      onConfirm={reset}
      onClose={onClose}
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
