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
  /** The messages are loaded, so the details may load. */
  ready: boolean;
  /** Other staff in the conversation. */
  colleagues?: ReactNode;
  /** A saved reply was inserted: a sheet over the composer may close. */
  onInserted?: (() => void) | undefined;
};

/** The details below the visitor's name. */
export function DetailsContent({ colleagues, onInserted, ...about }: DetailsContentProps) {
  return (
    <div className={styles.content}>
      <About {...about} />
      <Devices {...about} />
      <DetailsReplies onInserted={onInserted} />
      <DetailsShortcuts />
      {/* Last, so that nothing moves when somebody joins or leaves. */}
      {colleagues}
    </div>
  );
}

const shortcuts = keyGroups.flatMap(({ lines }) => lines).filter(({ short }) => short);

/** The most useful shortcuts. */
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
