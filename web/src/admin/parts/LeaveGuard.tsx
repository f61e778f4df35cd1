import { adminTexts } from '@settee/protocol/adminTexts';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';

type LeaveGuardProps = { unsaved: boolean; title: string; note: string };

/** Asks before another place of the area takes this one's; the browser itself asks before it leaves the page. */
export function LeaveGuard({ unsaved, title, note }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  // A reload or another address would lose it without a word.
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
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
            <Button className={buttons.main} danger onClick={() => blocker.proceed()}>
              {adminTexts.leave}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
