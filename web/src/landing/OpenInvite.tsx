import { landingTexts } from '@settee/protocol/landingTexts';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { invitePath } from './inviteLink.ts';
import styles from './Landing.module.css';

/** Takes an invite link. Whether there is such an invite is for the chat's own page to find out. */
export function OpenInvite() {
  const [link, setLink] = useState('');
  const [error, setError] = useState<string | null>(null);

  function open(event: FormEvent): void {
    event.preventDefault();
    const path = invitePath(link, location.host);
    if (path) location.assign(path);
    else setError(landingTexts.landingInvalid);
  }

  return (
    <>
      <p className={styles.note}>{landingTexts.landingNote}</p>
      <form onSubmit={open}>
        <Field
          label={landingTexts.landingField}
          placeholder={landingTexts.landingPlaceholder}
          value={link}
          error={error}
          onChange={(event) => {
            setLink(event.target.value);
            setError(null);
          }}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" className={styles.open}>
          {landingTexts.landingOpen}
        </Button>
      </form>
    </>
  );
}
