import { initials } from '@settee/protocol/model/initials';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import type { Desk } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useChange, useMountedRef } from '../../staff/useChange.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { useSignedIn } from '../context.ts';
import { shapes } from '../shapes.ts';
import styles from './HandOverDialog.module.css';

type HandOverDialogProps = {
  conversationId: string;
  /** The desk where the conversation is. */
  from: string | undefined;
  name: string;
  onDone: (deskName: string) => void;
  /** Called only if the dialog has closed. */
  onFailed: (problem: string) => void;
  onClose: () => void;
};

/** Moves the conversation to another desk, with an optional note. */
export function HandOverDialog(props: HandOverDialogProps) {
  const { session, staff } = useSignedIn();
  // Presence changes often, so it is read each time.
  const desks = useQuery({
    queryKey: ['desks'],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => {
      const from = props.from ?? staff.alias ?? '';
      const { desks: all, names, profiles } = await readOrThrow(session.api, 'readDesks', {});
      // Desks that are online come first.
      return all
        .filter(({ alias }) => alias !== from && profiles?.[alias] === profiles?.[from])
        .map((desk) => ({ ...desk, name: names?.[desk.alias] ?? desk.alias }))
        .toSorted((a, b) => Number(b.online) - Number(a.online));
    },
  });
  return (
    <Dialog
      title={fillText(consoleTexts.transferTitle, { name: props.name })}
      mark={{ paths: shapes.handOver }}
      onClose={props.onClose}
    >
      {(close) =>
        desks.data && desks.data.length > 0 ? (
          <HandOverForm {...props} desks={desks.data} onCancel={close} />
        ) : (
          <>
            <div className={styles.state} role={desks.isError ? 'alert' : 'status'}>
              {desks.isPending && <Dots />}
              <p>
                {desks.isPending
                  ? consoleTexts.desksLoading
                  : desks.isError
                    ? consoleTexts.desksFailed
                    : consoleTexts.transferNowhere}
              </p>
            </div>
            <div className={buttons.buttons}>
              <Button look="outline" onClick={close}>
                {consoleTexts.cancel}
              </Button>
              {desks.isError && <Button onClick={() => void desks.refetch()}>{texts.tryAgain}</Button>}
            </div>
          </>
        )
      }
    </Dialog>
  );
}

type NamedDesk = Desk & { name: string };
type HandOverFormProps = HandOverDialogProps & { desks: readonly NamedDesk[]; onCancel: () => void };

function HandOverForm({ conversationId, desks, onDone, onFailed, onCancel }: HandOverFormProps) {
  const { session } = useSignedIn();
  const [chosen, setChosen] = useState<NamedDesk | null>(null);
  const [note, setNote] = useState('');
  const noteId = useId();
  const mounted = useMountedRef();
  const choices = useRef<HTMLFieldSetElement>(null);
  // The button with the focus disappeared when the desks loaded.
  useEffect(() => choices.current?.querySelector('input')?.focus(), []);

  const { busy, error, submit } = useChange();

  async function transfer() {
    if (chosen === null) return '';
    const { alias, name } = chosen;
    const answer = await session.api('transfer', { params: { id: conversationId }, body: { alias, note } });
    if (answer.ok) onDone(name);
    if (answer.ok || mounted.current) return answer;
    onFailed(answer.text);
    return '';
  }

  return (
    <form className={styles.form} onSubmit={submit(transfer)}>
      <fieldset ref={choices} className={styles.desks}>
        <legend>{consoleTexts.transferTo}</legend>
        {desks.map((desk) => (
          <label key={desk.alias} className={styles.desk}>
            <input
              type="radio"
              name="desk"
              value={desk.alias}
              checked={chosen?.alias === desk.alias}
              onChange={() => setChosen(desk)}
            />
            <Avatar
              letters={initials(desk.people[0] ?? desk.name)}
              size={42}
              tint={1}
              dot={desk.online || 'faint'}
            />
            <span className={styles.who}>
              <b>{desk.name}</b>
              <span>{listText(desk.people)}</span>
            </span>
            <span className={styles.presence} data-online={desk.online}>
              {desk.online ? consoleTexts.deskOnline : consoleTexts.deskAway}
            </span>
          </label>
        ))}
      </fieldset>
      <label htmlFor={noteId} className={styles.label}>
        {consoleTexts.transferNote}
      </label>
      <textarea
        id={noteId}
        className={styles.note}
        aria-describedby={`${noteId}-hint`}
        rows={3}
        maxLength={MESSAGE_TEXT_MAX}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <p id={`${noteId}-hint`} className={styles.hint}>
        {consoleTexts.noteHint}
      </p>
      <FieldError text={error} />
      <div className={buttons.buttons}>
        <Button look="outline" onClick={onCancel}>
          {consoleTexts.cancel}
        </Button>
        <Button type="submit" disabled={chosen === null || busy}>
          {consoleTexts.transferSubmit}
        </Button>
      </div>
    </form>
  );
}
