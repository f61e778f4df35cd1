import { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { BLOCK_REASON_MAX } from '@settee/protocol/model/block';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import type { Desk } from '@settee/protocol/model/staff';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useCallback, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { BlockDialog } from '../../staff/block/BlockDialog.tsx';
import { blockBody } from '../../staff/block/BlockFields.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useChange } from '../../staff/useChange.ts';
import { useAdmin } from '../context.ts';
import { useChunks } from '../inChunks.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { type DeskNames, useDesksAlike } from '../useDesks.tsx';

/** Tasks on one conversation that open a dialog. */
export type Task = 'reassign' | 'block' | 'unblock' | 'erase';

type DialogProps = { id: string; name: string; onClose: () => void };
/** `alias`: the desk of the conversation. */
type TaskDialogProps = DialogProps & { task: Task; alias: string; onDone?: () => void };

export function TaskDialog({ task, alias, ...rest }: TaskDialogProps) {
  switch (task) {
    case 'reassign':
      return <ReassignDialog ids={[rest.id]} from={[alias]} {...rest} />;
    case 'block':
      return <BlockConversation {...rest} />;
    case 'unblock':
      return <UnblockDialog {...rest} />;
    case 'erase':
      return <EraseDialog {...rest} />;
  }
}

function BlockConversation({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  return (
    <BlockDialog
      name={name}
      action={texts.block}
      reasonRequired
      onBlock={(choice) =>
        session.api('setStatus', { params: { id }, body: { status: 'blocked', ...blockBody(choice) } })
      }
      say={fillText(texts.blockedOne, { name })}
      onClose={onClose}
    />
  );
}

function UnblockDialog({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={fillText(texts.unblockTitle, { name })}
      note={texts.unblockNote}
      action={texts.unblock}
      onClose={onClose}
      onSubmit={() =>
        session.api('setStatus', {
          params: { id },
          body: { status: 'open', from: 'blocked', ...blockBody({ reason, hours: undefined }) },
        })
      }
      say={fillText(texts.unblockedOne, { name })}
    >
      <TextField
        label={blockTexts.reason}
        hint={blockTexts.reasonHint}
        required
        pattern=".*\S.*"
        autoComplete="off"
        maxLength={BLOCK_REASON_MAX}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

const reasons = [
  { value: '' as const, text: erasureTexts.reasonNone },
  ...EraseReason.options.map((value) => ({ value, text: erasureTexts.reasons[value] })),
];

/** Explains what is erased. The reason is one of a fixed list, because the audit log keeps it forever. */
function EraseDialog({ id, ...rest }: Omit<TaskDialogProps, 'task' | 'name' | 'alias'>) {
  const { session } = useAdmin();
  const [reason, setReason] = useState<EraseReason | ''>('');

  async function erase() {
    const query = reason !== '' && { query: { reason } };
    const erased = await session.api('eraseConversation', { params: { id }, ...query });
    // Another administrator erased it first.
    return erased.ok || erased.code === 'not_found' ? undefined : erasureTexts.eraseFailed;
  }

  return (
    <FormDialog
      title={erasureTexts.eraseTitle}
      note={erasureTexts.eraseNote}
      action={erasureTexts.erase}
      danger
      onSubmit={erase}
      say={erasureTexts.erased}
      {...rest}
    >
      <p>
        <strong>{erasureTexts.eraseFinal}</strong>
      </p>
      <Select label={erasureTexts.reason} options={reasons} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/**
 * Maximum conversations per call. Each one is a transaction that waits for the audit log. With more, a busy
 * installation could exceed the page's timeout, and the page would report a failure while the work goes on.
 */
export const CONVERSATIONS_PER_CALL = 25;

type ReassignDialogProps = {
  ids: readonly string[];
  /** Their desks. */
  from: readonly string[];
  /** The visitor's name, if there is one conversation. */
  name?: string;
  onClose: () => void;
  onDone?: () => void;
};

/** Moves conversations to another desk, with an optional note. */
export function ReassignDialog({ ids, from, name, ...rest }: ReassignDialogProps) {
  const { session } = useAdmin();
  const callEach = useChunks(ids, CONVERSATIONS_PER_CALL);
  const desks = useAdminQuery('staff', 'readDesks', {});
  const targets = useDesksAlike(from);
  const [alias, setAlias] = useState('');
  const [note, setNote] = useState('');

  return (
    <FormDialog
      title={titleOf(ids.length, name)}
      action={adminTexts.reassign}
      onSubmit={() => callEach((chunk) => session.api('reassignMany', { body: { ids: chunk, alias, note } }))}
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
          targets.length === 0 ? (
            <p>{read.desks.length === 0 ? texts.reassignNowhere : texts.reassignMixed}</p>
          ) : (
            <Select
              label={texts.reassignTo}
              required
              value={alias}
              onChange={setAlias}
              options={[
                { value: '', text: texts.reassignChoose },
                ...targets.map((desk) => ({ value: desk.alias, text: deskText(desk, read.names) })),
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

type Subject = { id: string; name: string; status: ConversationStatus };

/** Closes an open conversation or reopens a closed one. */
export function useToggleStatus(problems?: 'toast') {
  const { session } = useAdmin();
  const { error, run } = useChange(problems);
  const toggle = useCallback(
    ({ id, name, status }: Subject) => {
      const open = status === 'open';
      const body = { status: open ? 'closed' : 'open', from: status } as const;
      void run(() => session.api('setStatus', { params: { id }, body }), {
        say: fillText(open ? texts.closedOne : texts.reopenedOne, { name }),
        of: id,
      });
    },
    [session, run],
  );
  return { error, toggle };
}
