import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { ReactNode } from 'react';
import { Kbd } from '../keys/Kbd.tsx';
import { keyGroups } from '../keys/keyList.ts';
import { About } from './About.tsx';
import styles from './DetailsContent.module.css';
import { DetailsReplies } from './DetailsReplies.tsx';
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

const shortcuts = keyGroups.flatMap(({ lines }) => lines).filter(({ short }) => short);

/** Those that are worth learning first; the list of all is one of them. */
function DetailsShortcuts() {
  return (
    <section className={styles.shortcuts}>
      <h2 className={styles.heading}>{consoleTexts.shortcuts}</h2>
      <dl className={styles.keys}>
        {shortcuts.map(({ name, keys }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
