import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FocusEvent, type FormEvent, useEffect, useMemo, useRef } from 'react';
import { isTouch } from '../../browser/isTouch.ts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { LeaveGuard } from '../parts/LeaveGuard.tsx';
import { Page } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { ConversationFields } from './ConversationFields.tsx';
import type { ProfileSettings } from './draft.ts';
import { MailFields } from './MailFields.tsx';
import { PictureField } from './PictureField.tsx';
import styles from './ProfileForm.module.css';
import { ProfilePreview } from './ProfilePreview.tsx';
import { type ProfileFormState, useProfileForm } from './useProfileForm.ts';
import { VoiceFields } from './VoiceFields.tsx';

/** The public profile and the installation's settings. */
export function ProfilePage() {
  const saved = useAdminQuery('profile', 'readProfileSettings', {});
  return (
    <Page title={adminTexts.publicProfile}>
      <QueryContent query={saved} thing={profileTexts.thing}>
        {(answer) => <ProfileForm saved={answer} />}
      </QueryContent>
    </Page>
  );
}

function ProfileForm({ saved }: { saved: ProfileSettings }) {
  const form = useProfileForm(saved);
  const { draft, change, field } = form;
  const pictureUrl = usePictureUrl(draft.picture, saved.brand.avatarUrl);
  const element = useRef<HTMLFormElement>(null);
  const { displayName, verified, disclosure, greeting, farewell, awayMessage } = draft;
  const brand = {
    ...saved.brand,
    displayName: displayName.trim(),
    verified,
    disclosure,
    greeting: greeting.trim(),
    farewell: farewell.trim(),
    awayMessage: awayMessage.trim(),
    avatarUrl: pictureUrl,
  };

  const lastField = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The save bar must not cover the focused field.
    if (form.unsaved) activeElement?.scrollIntoView({ block: 'nearest' });
    // The save bar and its button are gone: restore the focus. On touch screens this would open the keyboard.
    else if (activeElement === document.body && !isTouch()) {
      lastField.current?.focus({ preventScroll: true });
    }
  }, [form.unsaved]);

  function remember({ target }: FocusEvent): void {
    if (target instanceof HTMLElement && !(target instanceof HTMLButtonElement)) lastField.current = target;
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void form.save();
    // Errors are rendered by then.
    setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  return (
    <>
      <form ref={element} className={styles.form} onSubmit={submit} onFocus={remember} noValidate>
        <div className={styles.columns}>
          <div className={styles.fields}>
            <Card title={profileTexts.profile} className={styles.card}>
              <PictureField
                name={displayName}
                url={pictureUrl}
                onChange={(picture) => change({ picture: picture ?? gone(saved) })}
              />
              <TextField
                label={profileTexts.name}
                hint={profileTexts.nameHelp}
                autoComplete="off"
                {...field('displayName')}
              />
              <CheckField
                label={profileTexts.verified}
                hint={fillText(profileTexts.verifiedHelp, { text: texts.verifiedTooltip })}
                checked={verified}
                onChange={(checked) => change({ verified: checked })}
              />
              <TextField
                label={profileTexts.disclosure}
                hint={profileTexts.disclosureHelp}
                rows={2}
                {...field('disclosure')}
              />
              {disclosure !== texts.disclosure && (
                <Button
                  look="outline"
                  className={styles.usual}
                  onClick={() => change({ disclosure: texts.disclosure })}
                >
                  {profileTexts.disclosureReset}
                </Button>
              )}
            </Card>
            <VoiceFields field={field} />
            <ConversationFields form={form} />
            <MailFields form={form} />
          </div>
          <div className={styles.preview}>
            <ProfilePreview brand={brand} />
          </div>
        </div>
        <SaveBar form={form} />
        <LeaveGuard unsaved={form.unsaved} title={profileTexts.leaveTitle} note={profileTexts.leaveNote} />
      </form>
      {form.question}
    </>
  );
}

/** Without a stored image there is nothing to remove. */
function gone({ brand }: ProfileSettings): null | undefined {
  return brand.avatarUrl === null ? undefined : null;
}

/** An object URL for the picked image, while it is shown. */
function usePictureUrl(picture: Blob | null | undefined, saved: string | null): string | null {
  const own = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture]);
  useEffect(() => () => void (own && URL.revokeObjectURL(own)), [own]);
  if (own !== null) return own;
  return picture === null ? null : saved;
}

function SaveBar({ form: { unsaved, busy, error, discard } }: { form: ProfileFormState }) {
  if (!unsaved) return null;
  return (
    <section className={`${styles.bar} medium`} aria-label={adminTexts.unsaved}>
      <div className={styles.words}>
        <b role="status">{adminTexts.unsaved}</b>
        <FieldError text={error} />
      </div>
      <Button look="outline" onClick={discard} disabled={busy}>
        {adminTexts.discard}
      </Button>
      <Button type="submit" aria-disabled={busy}>
        {adminTexts.save}
      </Button>
    </section>
  );
}
