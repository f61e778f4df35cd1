import type { LeftDesk } from '@settee/protocol/calls/deskCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { useScope } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { deskOption, useDeskNames, useDesksBeside, useDeskText, useProfileOf } from '../useDesks.tsx';
import { MoveFields, useMoveDesk } from './MoveFields.tsx';
import styles from './UnstaffedDesks.module.css';

/** Desks with work but without staff. Their work is reassigned here. */
export function UnstaffedDesks() {
  const left = useAdminQuery('staff', 'readLeftDesks', {});
  const text = useDeskText();
  const profileOf = useProfileOf();
  const { profile } = useScope();
  const [open, setOpen] = useState<LeftDesk | null>(null);
  const desks = (left.data?.desks ?? []).filter(
    ({ alias }) => profile === undefined || profileOf(alias)?.slug === profile,
  );
  return (
    <>
      {desks.length > 0 && (
        <ul className={styles.desks}>
          {desks.map((desk) => (
            <li key={desk.alias} className={styles.desk}>
              <span>{fillText(peopleTexts.nobodyThere, countsOf(desk, text))}</span>
              <Button
                look="outline"
                aria-label={fillText(peopleTexts.reassignFrom, { alias: text(desk.alias) })}
                onClick={() => setOpen(desk)}
              >
                {peopleTexts.reassign}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open && <ReassignDesk desk={open} onMoved={() => void left.refetch()} onClose={() => setOpen(null)} />}
    </>
  );
}

type ReassignDeskProps = { desk: LeftDesk; onMoved: () => void; onClose: () => void };

function ReassignDesk({ desk, onMoved, onClose }: ReassignDeskProps) {
  const { alias } = desk;
  const desks = useDesksBeside([alias]);
  const names = useDeskNames();
  const name = useDeskText()(alias);
  const { to, move, fields } = useMoveDesk(alias);

  async function reassign(): Promise<string | undefined> {
    if (to === '') return peopleTexts.chooseDesk;
    const wrong = await move();
    // A part may have moved despite the error.
    onMoved();
    return wrong;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.reassignFrom, { alias: name })}
      action={peopleTexts.reassign}
      onSubmit={reassign}
      say={fillText(peopleTexts.reassigned, { alias: name })}
      onClose={onClose}
    >
      <MoveFields
        lead={fillText(peopleTexts.deskEmpty, { alias: name })}
        load={desk}
        desks={desks.map((desk) => deskOption(desk, names))}
        {...fields}
      />
    </FormDialog>
  );
}

function countsOf({ alias, conversations, invites }: LeftDesk, text: (alias: string) => string) {
  return { alias: text(alias), conversations, invites };
}
