import { BLOCK_HOURS, BLOCK_REASON_MAX, type BlockHours } from '@settee/protocol/model/block';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useId } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import styles from './BlockFields.module.css';

/** Reason and duration. Without hours, the block has no end. */
export type BlockChoice = { reason: string; hours: BlockHours | undefined };

export const noChoice: BlockChoice = { reason: '', hours: undefined };

const durations: readonly { hours: BlockHours | undefined; text: string }[] = [
  ...BLOCK_HOURS.map((hours) => ({ hours, text: blockTexts.hours[hours] })),
  { hours: undefined, text: blockTexts.forever },
];

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
          // Spaces alone are no reason.
          pattern={required ? '.*\\S.*' : undefined}
          value={value.reason}
          onChange={(event) => onChange({ ...value, reason: event.target.value })}
        />
        <small id={`${id}-hint`}>{blockTexts.reasonHint}</small>
      </div>
      <fieldset className={styles.field}>
        <legend>{blockTexts.howLong}</legend>
        <div className={styles.choices}>
          {durations.map(({ hours, text }) => (
            <label key={text}>
              <input
                type="radio"
                name={`${id}-hours`}
                checked={value.hours === hours}
                onChange={() => onChange({ ...value, hours })}
              />
              <span className="filter">{text}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}

/** The call's fields, without empty values. */
export function blockBody({ reason, hours }: BlockChoice): { reason?: string; hours?: BlockHours } {
  const text = reason.trim();
  return { ...(text !== '' && { reason: text }), ...(hours !== undefined && { hours }) };
}

export function blockedUntil({ until }: { until: number | null }): string {
  if (until === null) return blockTexts.untilUnblocked;
  return fillText(blockTexts.until, { time: dateAndTime(until, Date.now()) });
}
