import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useNavigate } from 'react-router';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { shapes } from '../shapes.ts';
import { searchFor, type waits } from './show.ts';
import styles from './WaitingStrip.module.css';

/** How many wait and for how long, above the list: the longest wait may stand far down in it. */
export function WaitingStrip({ count, longest, long }: NonNullable<ReturnType<typeof waits>>) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className={styles.strip}
      data-long={long}
      onClick={() => void navigate({ search: searchFor('waiting') })}
    >
      <Icon name="clock" size={17} />
      <span>
        <b>{fillText(consoleTexts.stripCount, { n: String(count) })}</b>
        {fillText(consoleTexts.stripLongest, { time: longest })}
      </span>
      <Shape paths={shapes.right} size={16} />
    </button>
  );
}
