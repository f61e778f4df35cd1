import { texts } from '@settee/protocol/texts/texts';
import { SetteeDrawing } from '../ui/SetteeDrawing.tsx';
import { NameForm } from './NameForm.tsx';
import styles from './NameGate.module.css';

type NameGateProps = { saving: boolean; error: string | null; onName: (name: string) => void };

/** The visitor sits down in the drawing as soon as the name is valid. */
export function NameGate(props: NameGateProps) {
  return (
    <main className={styles.gate}>
      <NameForm {...props} submit={texts.nameSubmit}>
        {(valid) => (
          <div className={styles.intro}>
            <div className={styles.drawing}>
              <SetteeDrawing seats={valid ? 'one' : 'empty'} width={200} />
            </div>
            <h2 className={styles.heading}>{texts.nameTitle}</h2>
            <p className={styles.note}>{texts.nameNote}</p>
          </div>
        )}
      </NameForm>
    </main>
  );
}
