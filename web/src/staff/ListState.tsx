import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dots } from '../ui/Dots.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './ListState.module.css';

export function ListState({ children }: { children: ReactNode }) {
  return <div className={styles.state}>{children}</div>;
}

export function ListLoading({ text }: { text: string }) {
  return (
    <div className={styles.state} role="status">
      <Dots />
      <p>{text}</p>
    </div>
  );
}

export function ListFailed({ text, onTryAgain }: { text: string; onTryAgain: () => void }) {
  return (
    <div className={styles.state} role="alert">
      <span className={styles.mark}>
        <Icon name="alert" size={26} />
      </span>
      <p>{text}</p>
      <Button look="outline" onClick={onTryAgain}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}
