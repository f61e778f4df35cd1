import { texts } from '@settee/protocol/texts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './Page.module.css';

export function ErrorView({ title, reason }: { title: string; reason: string }) {
  return (
    <main className={styles.page}>
      <div className={styles.centre}>
        <span className={styles.ring}>
          <Icon name="link" size={32} />
        </span>
        <h1 className={styles.heading}>{title}</h1>
        <p className={styles.note} role="alert">
          {reason}
        </p>
        <Button onClick={() => location.assign('/')}>{texts.goToHome}</Button>
      </div>
    </main>
  );
}
