import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import styles from './SaveBar.module.css';
import type { ProfileForm } from './useProfileForm.ts';

/** In sight for as long as something is not saved. */
export function SaveBar({ form: { unsaved, busy, error, discard } }: { form: ProfileForm }) {
  if (!unsaved) return null;
  return (
    <section className={styles.bar} aria-label={adminTexts.unsaved}>
      <div className={styles.words}>
        <b role="status">{adminTexts.unsaved}</b>
        <FieldError text={error} />
      </div>
      <Button look="outline" onClick={discard} disabled={busy}>
        {adminTexts.discard}
      </Button>
      <Button type="submit" className={styles.save} aria-disabled={busy}>
        {adminTexts.save}
      </Button>
    </section>
  );
}
