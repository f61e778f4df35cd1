import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import type { MouseEventHandler } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import type { ConversationState } from '../model/conversationState.ts';
import { countNew } from '../model/unread.ts';
import styles from './MessageList.module.css';

type NewestPillProps = {
  state: ConversationState;
  place: 'end' | 'near' | 'far';
  /** The number of the last message that was read. */
  after: number;
  onPress: MouseEventHandler;
};

/** Goes to the newest message. Shown while new messages lie below, or the end is far. */
export function NewestPill({ state, place, after, onPress }: NewestPillProps) {
  const count = place === 'end' ? 0 : countNew(state, after);
  if (count === 0 && place !== 'far') return null;
  const label = count === 0 ? undefined : fillText(texts.newMessages, { count });
  return (
    <button
      type="button"
      className={styles.pill}
      data-new={count > 0}
      aria-label={label ?? texts.toNewest}
      onClick={onPress}
    >
      <Icon name="down" size={18} />
      {label}
    </button>
  );
}
