import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { StatePage } from '../staff/StatePage.tsx';
import { Button } from '../ui/Button.tsx';

/** For somebody of the staff who asked for the admin area, and is no administrator. */
export function AccessDenied() {
  return (
    <StatePage title={adminTexts.accessDeniedTitle} note={adminTexts.accessDeniedNote} alert>
      <Button onClick={() => location.assign('/handler')}>{adminTexts.handlerConsole}</Button>
      <Button look="quiet" onClick={() => location.assign('/chat')}>
        {adminTexts.publicChat}
      </Button>
    </StatePage>
  );
}
