import { BLOCK_HOURS, BLOCK_REASON_MAX, type BlockHours } from '@settee/protocol/block';
import { blockTexts } from '@settee/protocol/blockTexts';
import { useId } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { staffShapes } from '../shapes.ts';
import styles from './BlockFields.module.css';

/** Why, and for how long. Without hours a block lasts until somebody ends it. */
export type BlockChoice = { reason: string; hours: BlockHours | undefined };

export const noChoice: BlockChoice = { reason: '', hours: undefined };

type BlockFieldsProps = {
  value: BlockChoice;
  required?: boolean;
  onChange: (value: BlockChoice) => void;
};

export function BlockFields({ value, required = false, onChange }: BlockFieldsProps) {
  const id = useId();
  return (
    <div className={styles.fields}>
      <div className={styles.field}>
        <label htmlFor={`${id}-reason`}>{required ? blockTexts.reason : blockTexts.reasonOptional}</label>
        <input
          id={`${id}-reason`}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          maxLength={BLOCK_REASON_MAX}
          required={required}
          // Blanks alone are no reason.
          pattern={required ? '.*\\S.*' : undefined}
          value={value.reason}
          onChange={(event) => onChange({ ...value, reason: event.target.value })}
        />
        <small id={`${id}-hint`}>{blockTexts.reasonHint}</small>
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-hours`}>{blockTexts.howLong}</label>
        <span className={styles.pick}>
          <select
            id={`${id}-hours`}
            value={value.hours ?? ''}
            onChange={(event) =>
              onChange({ ...value, hours: BLOCK_HOURS.find((hours) => String(hours) === event.target.value) })
            }
          >
            <option value="">{blockTexts.forever}</option>
            {BLOCK_HOURS.map((hours) => (
              <option key={hours} value={hours}>
                {blockTexts.hours[hours]}
              </option>
            ))}
          </select>
          <Shape paths={staffShapes.chevron} size={18} />
        </span>
      </div>
    </div>
  );
}

/** As the call takes it: what was not said is not there. */
export function blockBody({ reason, hours }: BlockChoice): { reason?: string; hours?: BlockHours } {
  const said = reason.trim();
  return { ...(said !== '' && { reason: said }), ...(hours !== undefined && { hours }) };
}
