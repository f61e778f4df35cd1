import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import type { Desk } from '@settee/protocol/model/staff';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { callForChunks } from '../chunksOf.ts';
import { useAdmin } from '../context.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import type { DeskNames } from '../useDesks.tsx';

/**
 * Maximum conversations per call. Each one is a transaction that waits for the audit log. With more, a busy
 * installation could exceed the page's timeout, and the page would report a failure while the work goes on.
 */
export const CONVERSATIONS_PER_CALL = 25;

type ReassignDialogProps = {
  ids: readonly string[];
  /** The visitor's name, if there is one conversation. */
  name?: string;
  onClose: () => void;
  onDone?: () => void;
};

/** Moves conversations to another desk, with an optional note. */
export function ReassignDialog({ ids, name, ...rest }: ReassignDialogProps) {
  const { session } = useAdmin();
  const desks = useAdminQuery('staff', 'readDesks', {});
  const [alias, setAlias] = useState('');
  const [note, setNote] = useState('');

  return (
    <FormDialog
      title={titleOf(ids.length, name)}
      action={adminTexts.reassign}
      onSubmit={() =>
        callForChunks(ids, CONVERSATIONS_PER_CALL, (chunk) =>
          session.api('reassignMany', { body: { ids: chunk, alias, note } }),
        )
      }
      say={(answers) => {
        const count = answers.reduce((sum, { moved }) => sum + moved, 0);
        const missed = answers.reduce((sum, answer) => sum + answer.missed.length, 0);
        const text = missed > 0 ? texts.reassignedSome : texts.reassigned;
        return fillText(text, { count, alias: desks.data?.names?.[alias] ?? alias, missed });
      }}
      {...rest}
    >
      <QueryContent query={desks} thing={texts.desks}>
        {(read) =>
          read.desks.length === 0 ? (
            <p>{texts.reassignNowhere}</p>
          ) : (
            <Select
              label={texts.reassignTo}
              required
              value={alias}
              onChange={(event) => setAlias(event.target.value)}
              options={[
                { value: '', text: texts.reassignChoose },
                ...read.desks.map((desk) => ({ value: desk.alias, text: deskText(desk, read.names) })),
              ]}
            />
          )
        }
      </QueryContent>
      <TextField
        label={texts.reassignNote}
        rows={3}
        maxLength={MESSAGE_TEXT_MAX}
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}

function titleOf(count: number, name: string | undefined): string {
  return count === 1 && name !== undefined
    ? fillText(texts.reassignNamed, { name })
    : fillText(texts.reassignMany, { count });
}

function deskText({ alias, people, online }: Desk, names: DeskNames = {}): string {
  return fillText(texts.deskChoice, {
    alias: names[alias] ?? alias,
    people: listText(people),
    presence: online ? consoleTexts.deskOnline : consoleTexts.deskAway,
  });
}
