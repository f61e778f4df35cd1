import type { ReactNode } from 'react';
import { About } from './About.tsx';
import styles from './DetailsContent.module.css';
import { DetailsReplies } from './DetailsReplies.tsx';
import { DetailsShortcuts } from './DetailsShortcuts.tsx';
import { Devices } from './Devices.tsx';

type DetailsContentProps = {
  conversationId: string;
  /** Number of the newest message. */
  head: number;
  /** The messages are there; what they are about may follow. */
  ready: boolean;
  /** Who else is in the conversation. */
  colleagues?: ReactNode;
  /** A saved reply went into the composer: a sheet over it has done its work. */
  onInserted?: (() => void) | undefined;
};

/** What stands beside a conversation, under who it is with. */
export function DetailsContent({ colleagues, onInserted, ...about }: DetailsContentProps) {
  return (
    <div className={styles.content}>
      <About {...about} />
      <Devices {...about} />
      <DetailsReplies onInserted={onInserted} />
      <DetailsShortcuts />
      {/* At the end, over what does not fit: nothing moves when somebody comes or goes. */}
      {colleagues}
    </div>
  );
}
