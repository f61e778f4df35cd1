import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { findUnfinished } from '../../staff/signOut/unfinished.ts';
import { useSignOut } from '../../staff/signOut/useSignOut.tsx';
import { useSignedIn } from '../context.ts';
import { useCommands } from '../keys/commands.ts';

/** The command of every Sign Out button. */
export function SignOut() {
  const { session, staff, unsent } = useSignedIn();
  const { signOut, question } = useSignOut(session, () => findUnfinished(staff.staffId, unsent));
  useCommands([{ id: 'signOut', name: consoleTexts.signOut, run: () => void signOut() }]);
  return question;
}
