import type { Person } from '@settee/protocol/calls/peopleCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { deskOption, useDeskNames, useDesks } from '../useDesks.tsx';
import { MoveFields } from './MoveFields.tsx';
import { moveDesk, type Progress } from './moveDesk.ts';

type DeactivateDialogProps = { person: Person; onClose: () => void; onDone: () => void };

/** Deactivates a person. If the desk would be left without staff, its work is moved first. */
export function DeactivateDialog({ person, onClose, onDone }: DeactivateDialogProps) {
  const { session } = useAdmin();
  const { id, name, alias } = person;
  const names = useDeskNames();
  const leaving = useAdminQuery('staff', 'readLeaving', { params: { id } });
  const [to, setTo] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const desks = useDesks().filter((desk) => desk.alias !== alias);
  const load = leaving.data;
  const holds = load !== undefined && load.conversations + load.invites > 0;

  async function deactivate(): Promise<string | undefined> {
    if (holds && alias !== null) {
      if (to === '') return peopleTexts.deskInUse;
      const wrong = await moveDesk(session.api, { from: alias, to }, setProgress);
      if (wrong !== undefined) return wrong || texts.networkError;
    }
    const done = await session.api('deactivatePerson', { params: { id } });
    if (!done.ok) {
      // The desk's work changed meanwhile: read it again.
      if (done.code === 'desk_in_use') void leaving.refetch();
      return done.text || texts.networkError;
    }
    onDone();
    return undefined;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.deactivateTitle, { name })}
      note={peopleTexts.deactivateNote}
      action={peopleTexts.deactivate}
      danger
      onClose={onClose}
      onSubmit={deactivate}
    >
      {holds && alias !== null && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, { alias: names[alias] ?? alias })}
          load={load}
          desks={desks.map((desk) => deskOption(desk, names))}
          to={to}
          onChange={setTo}
          progress={progress}
        />
      )}
    </FormDialog>
  );
}
