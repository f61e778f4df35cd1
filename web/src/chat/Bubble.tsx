import { texts } from '@settee/protocol/texts';
import { Icon } from '../ui/Icon.tsx';
import styles from './Bubble.module.css';
import type { Row } from './grouping.ts';
import { timeOfDay } from './times.ts';

type BubbleProps = {
  row: Row;
  mine: boolean;
  /** The words under this side's newest message. */
  receipt: 'sending' | 'sent' | 'seen' | undefined;
  /** It came while the page was open: it may move in. */
  fresh: boolean;
  onRetry: (id: string) => void;
};

const receipts = {
  sending: { icon: 'clock', text: texts.sending },
  sent: { icon: 'check', text: texts.sent },
  seen: { icon: 'seen', text: texts.seen },
} as const;

export function Bubble({ row, mine, receipt, fresh, onRetry }: BubbleProps) {
  const { entry, opensGroup, closesGroup, inLastGroup } = row;
  return (
    <div
      className={styles.message}
      data-side={mine ? 'out' : 'in'}
      data-opens={opensGroup}
      data-closes={closesGroup}
      data-fresh={fresh}
    >
      <p className={styles.bubble} dir="auto">
        {entry.text}
      </p>
      {entry.state === 'failed' ? (
        <p className={`${styles.meta} ${styles.failed}`} role="alert">
          <Icon name="alert" size={15} />
          <span>{texts.notSent}</span>
          <button type="button" onClick={() => onRetry(entry.key)}>
            {texts.tryAgain}
          </button>
        </p>
      ) : receipt ? (
        <p className={styles.meta} data-receipt={receipt}>
          <Icon name={receipts[receipt].icon} size={15} />
          <span>{receipts[receipt].text}</span>
        </p>
      ) : (
        !mine &&
        inLastGroup &&
        closesGroup && (
          <p className={styles.meta}>
            <time dateTime={new Date(entry.at).toISOString()}>{timeOfDay(entry.at)}</time>
          </p>
        )
      )}
    </div>
  );
}
