import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { Select } from '../parts/Select.tsx';
import styles from './MoveFields.module.css';
import type { Progress } from './moveDesk.ts';

type MoveFieldsProps = {
  /** Which desk nobody is left at, in words. */
  lead: string;
  load: { conversations: number; invites: number };
  /** Where it all could go. */
  desks: readonly { value: string; text: string }[];
  to: string;
  onChange: (to: string) => void;
  progress: Progress | undefined;
};

/** Where the conversations of a desk go that loses its last person, and how far they are. */
export function MoveFields({ lead, load, desks, to, onChange, progress }: MoveFieldsProps) {
  const { conversations, invites } = load;
  return (
    <div className={styles.fields}>
      <p>
        {lead}{' '}
        {fillText(peopleTexts.deskHolds, {
          conversations: String(conversations),
          invites: String(invites),
        })}
      </p>
      {desks.length === 0 ? (
        <p role="alert">{peopleTexts.moveNowhere}</p>
      ) : (
        <Select
          label={peopleTexts.moveTo}
          required
          value={to}
          onChange={(event) => onChange(event.target.value)}
          options={[{ value: '', text: peopleTexts.chooseDesk }, ...desks]}
        />
      )}
      {/* Always there: a reader announces only what changes inside a known region. */}
      <div role="status" className={styles.progress}>
        {progress && (
          <>
            <progress value={progress.moved} max={progress.total} aria-label={peopleTexts.moveTo} />
            {fillText(peopleTexts.moving, {
              moved: String(progress.moved),
              total: String(progress.total),
            })}
          </>
        )}
      </div>
    </div>
  );
}
