import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { warnBeforeLeaving } from './unsavedWork.ts';

/** Asks before navigation, before leaving the page and before sign-out while work is unsaved. */
export function LeaveGuard({ unsaved, title, note }: { unsaved: boolean; title: string; note: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  // A reload would lose the work without asking.
  useEffect(() => (unsaved ? warnBeforeLeaving({ title, note }) : undefined), [unsaved, title, note]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={title} onClose={() => blocker.reset?.()}>
      {(close) => (
        <>
          <p>{note}</p>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {adminTexts.stay}
            </Button>
            <Button danger onClick={() => blocker.proceed()}>
              {adminTexts.leave}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
