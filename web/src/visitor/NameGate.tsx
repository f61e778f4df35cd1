import { texts } from '@settee/protocol/texts';
import { NameForm } from './NameForm.tsx';
import styles from './NameGate.module.css';

type NameGateProps = { saving: boolean; error: string | null; onName: (name: string) => void };

export function NameGate(props: NameGateProps) {
  return (
    <main className={styles.gate}>
      <NameForm {...props} submit={texts.nameSubmit}>
        <h2 className={styles.heading}>{texts.nameTitle}</h2>
        <p className={styles.note}>{texts.nameNote}</p>
      </NameForm>
    </main>
  );
}
