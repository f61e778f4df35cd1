import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import { useAdmin } from '../context.ts';
import styles from './dialogs.module.css';
import { inviteName } from './inviteName.ts';
import { OnceDialog } from './OnceDialog.tsx';

/** A new continue code, for the administrator to pass on. */
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
    <OnceDialog
      title={fillText(code ? texts.resetDoneTitle : texts.resetTitle, { label })}
      action={texts.resetCode}
      onConfirm={reset}
      onClose={onClose}
      result={code && <Code code={code} />}
    >
      <p className={styles.note}>{texts.resetNote}</p>
    </OnceDialog>
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
