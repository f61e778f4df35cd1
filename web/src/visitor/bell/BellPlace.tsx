import type { ConversationState } from '../../chat/model/conversationState.ts';
import { isSafari } from '../../push/isSafari.ts';
import { lazyWithFallback } from '../lazyWithFallback.tsx';
import styles from './BellPlace.module.css';
import type { VisitorBellProps } from './VisitorBell.tsx';

const Bell = lazyWithFallback<VisitorBellProps>(() =>
  import('./VisitorBell.tsx').then((part) => part.VisitorBell),
);

/** Reserves the space of the bell, which loads after the page. */
export function BellPlace(props: VisitorBellProps) {
  const bell = <Bell {...props} />;
  return props.bare ? bell : <div className={styles.place}>{bell}</div>;
}

type ChatBellProps = Pick<VisitorBellProps, 'connection' | 'code' | 'onRenewCode'> & {
  /** The profile's name, used as the title of notices. */
  name: string;
  state: ConversationState;
};

/** The bell of an open chat. In Safari, the menu opens the panel instead. */
export function ChatBell({ name, state, ...rest }: ChatBellProps) {
  const visitorId = state.view?.visitorId;
  if (!visitorId) return null;
  return (
    <BellPlace {...rest} visitorId={visitorId} chat={{ name, state }} bare={isSafari(navigator.userAgent)} />
  );
}
