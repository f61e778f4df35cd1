import type { Person } from '@settee/protocol/calls/peopleCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { deskOption, useDeskNames, useDesks } from '../useDesks.tsx';
import { MoveFields, useMoveDesk } from './MoveFields.tsx';

type DeactivateDialogProps = { person: Person; onClose: () => void; onDone: () => void };

/** Deactivates a person. If the desk would be left without staff, its work is moved first. */
export function DeactivateDialog({ person, ...rest }: DeactivateDialogProps) {
  const { session } = useAdmin();
  const { id, name, alias } = person;
  const names = useDeskNames();
  const leaving = useAdminQuery('staff', 'readLeaving', { params: { id } });
  const { to, move, fields } = useMoveDesk(alias);
  const desks = useDesks().filter((desk) => desk.alias !== alias);
  const load = leaving.data;
  const holds = load !== undefined && load.conversations + load.invites > 0;

  async function deactivate() {
    if (holds && alias !== null) {
      const wrong = to === '' ? peopleTexts.deskInUse : await move();
      if (wrong !== undefined) return wrong;
    }
    const done = await session.api('deactivatePerson', { params: { id } });
    // The desk's work changed meanwhile: read it again.
    if (!done.ok && done.code === 'desk_in_use') void leaving.refetch();
    return done;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.deactivateTitle, { name })}
      note={peopleTexts.deactivateNote}
      action={peopleTexts.deactivate}
      danger
      onSubmit={deactivate}
      say={fillText(peopleTexts.wasDeactivated, { name })}
      {...rest}
    >
      {holds && alias !== null && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, { alias: names[alias] ?? alias })}
          load={load}
          desks={desks.map((desk) => deskOption(desk, names))}
          {...fields}
        />
      )}
    </FormDialog>
  );
}
