import { initials } from '@settee/protocol/model/initials';
import { visitorLabel, visitorNameOrLabel } from '@settee/protocol/model/visitor';
import type { ReactNode } from 'react';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import styles from './DetailsPane.module.css';

export type Visitor = { visitorId: string; visitorName: string };

type DetailsPaneProps = {
  visitor: Visitor;
  /** What is known of the conversation, under who it is with. */
  children?: ReactNode;
};

export function DetailsPane({ visitor, children }: DetailsPaneProps) {
  const name = visitorNameOrLabel(visitor);
  return (
    <div className={styles.pane}>
      <div className={styles.who}>
        <Avatar letters={initials(name)} size={44} tint={tintOf(visitor.visitorId)} />
        <div className={styles.words}>
          <b className={styles.name}>
            <bdi>{name}</bdi>
          </b>
          <code className={styles.label}>{visitorLabel(visitor.visitorId)}</code>
        </div>
      </div>
      {children}
    </div>
  );
}
