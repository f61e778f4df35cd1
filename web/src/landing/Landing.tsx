import { landingTexts } from '@settee/protocol/landingTexts';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Mark } from '../ui/Mark.tsx';
import { invitePath } from './inviteLink.ts';
import styles from './Landing.module.css';

export function Landing() {
  const [link, setLink] = useState('');
  const [error, setError] = useState<string | null>(null);

  function open(event: FormEvent): void {
    event.preventDefault();
    const path = invitePath(link);
    if (path) location.assign(path);
    else setError(landingTexts.landingInvalid);
  }

  return (
    <div className={styles.page}>
      <header className={styles.logo}>
        <Mark size={28} />
        settee
      </header>
      <main className={styles.main}>
        <h1 className={styles.heading}>{landingTexts.landingTitle}</h1>
        <p className={styles.note}>{landingTexts.landingNote}</p>
        <form onSubmit={open}>
          <Field
            label={landingTexts.landingField}
            placeholder={landingTexts.landingPlaceholder}
            value={link}
            error={error}
            onChange={(event) => setLink(event.target.value)}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" className={styles.open}>
            {landingTexts.landingOpen}
          </Button>
        </form>
        <p className={styles.fine}>
          {landingTexts.landingHandler} <a href="/handler">{landingTexts.landingSignIn}</a>
        </p>
      </main>
    </div>
  );
}
