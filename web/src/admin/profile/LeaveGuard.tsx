import { profileTexts } from '@settee/protocol/profileTexts';
import { useBlocker } from 'react-router';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';

/** Asks before another place of the area takes the form's; the browser itself asks before it leaves the page. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={profileTexts.leaveTitle} onClose={() => blocker.reset?.()}>
      {(close) => (
        <>
          <p>{profileTexts.leaveNote}</p>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {profileTexts.stay}
            </Button>
            <Button className={`${buttons.main} ${buttons.danger}`} onClick={() => blocker.proceed()}>
              {profileTexts.leave}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
