import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useState } from 'react';
import type { Api } from '../../net/api.ts';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import styles from './MoveFields.module.css';

/** Moves the work of one or several desks: the fields that say where to, and the calls. */
export function useMoveDesk(from: string | null | readonly string[]) {
  const { session } = useAdmin();
  const [to, setTo] = useState('');
  const [progress, setProgress] = useState<Progress>();
  async function move(): Promise<string | undefined> {
    for (const alias of [from ?? ''].flat()) {
      const wrong = await moveDesk(session.api, { from: alias, to }, setProgress);
      if (wrong !== undefined) return wrong;
    }
  }
  return { to, move, fields: { to, onChange: setTo, progress } };
}

type MoveFieldsProps = {
  /** Text about the desk that is left without staff. */
  lead: string;
  load: { conversations: number; invites: number };
  /** The work of several desks. */
  several?: boolean;
  /** Possible target desks. */
  desks: readonly { value: string; text: string }[];
  to: string;
  onChange: (to: string) => void;
  progress: Progress | undefined;
};

/** The target desk for the work of an unstaffed desk, and the progress of the move. */
export function MoveFields({ lead, load, several = false, desks, to, onChange, progress }: MoveFieldsProps) {
  const { conversations, invites } = load;
  return (
    <div className={styles.fields}>
      <p>
        {lead} {fillText(several ? peopleTexts.desksHold : peopleTexts.deskHolds, { conversations, invites })}
      </p>
      {desks.length === 0 ? (
        <p role="alert">{peopleTexts.moveNowhere}</p>
      ) : (
        <Select
          label={peopleTexts.moveTo}
          required
          value={to}
          onChange={onChange}
          options={[{ value: '', text: peopleTexts.chooseDesk }, ...desks]}
        />
      )}
      {/* Always mounted: screen readers announce only changes in a known region. */}
      <div role="status" className={styles.progress}>
        {progress && (
          <>
            <progress value={progress.moved} max={progress.total} aria-label={peopleTexts.moveTo} />
            {fillText(peopleTexts.moving, { moved: progress.moved, total: progress.total })}
          </>
        )}
      </div>
    </div>
  );
}

export type Progress = { moved: number; total: number };

/**
 * Moves a desk's work in steps and reports progress. Returns an error text or undefined. After an error,
 * calling again continues.
 */
export async function moveDesk(
  api: Api<'moveDesk'>,
  { from, to }: { from: string; to: string },
  onProgress: (progress: Progress) => void,
): Promise<string | undefined> {
  let moved = 0;
  for (;;) {
    const step = await api('moveDesk', { params: { alias: from }, body: { to } });
    if (!step.ok) return step.text;
    const { left } = step.answer;
    moved += step.answer.moved;
    onProgress({ moved, total: moved + left });
    // Nothing moved: the next call's answer says why.
    if (left === 0 || step.answer.moved === 0) return undefined;
  }
}
