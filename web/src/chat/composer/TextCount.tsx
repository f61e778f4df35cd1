import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { formatNumber } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import styles from './TextCount.module.css';

const COUNT_FROM = 3_800;

/** The length of a long message, and an error if it is too long. */
export function TextCount({ text, instead = null }: { text: string; instead?: ReactNode }) {
  const { length } = text.trim();
  if (length < COUNT_FROM) return instead;
  const over = length > MESSAGE_TEXT_MAX;
  return (
    <span className={styles.count} data-over={over}>
      {over && <span role="alert">{texts.messageTooLong}</span>}{' '}
      <span>{`${formatNumber(length)}/${formatNumber(MESSAGE_TEXT_MAX)}`}</span>
    </span>
  );
}
