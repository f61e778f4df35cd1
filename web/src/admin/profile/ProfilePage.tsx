import { AVATAR_MAX_BYTES } from '@settee/protocol/calls/profileCalls';
import { initials } from '@settee/protocol/model/initials';
import { IMAGE_TYPES } from '@settee/protocol/model/media';
import type { ManagedProfile } from '@settee/protocol/model/profile';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FocusEvent, type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { isTouch } from '../../browser/isTouch.ts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { ProfileDesks, useHoursDialog } from '../hours/HoursPage.tsx';
import { LeaveGuard } from '../parts/LeaveGuard.tsx';
import { Link } from '../parts/links.tsx';
import { Page, type PageProps } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import type { CropDialog as Cropper } from './CropDialog.tsx';
import type { ProfileSettings } from './draft.ts';
import picture from './PictureField.module.css';
import { ConversationFields, MailFields, VoiceFields } from './ProfileFields.tsx';
import styles from './ProfileForm.module.css';
import { ProfilePreview } from './ProfilePreview.tsx';
import { type ProfileFormState, partsOf, useProfileForm } from './useProfileForm.ts';

type ProfilePageProps = Omit<PageProps, 'children'> & {
  /** One of several. Without it, the only one. */
  profile?: ManagedProfile;
};

/** A public profile and its settings. */
export function ProfilePage({ profile, ...page }: ProfilePageProps) {
  const saved = useAdminQuery('profile', 'readProfileSettings', partsOf(profile?.slug));
  return (
    <Page {...page}>
      <QueryContent query={saved} thing={profileTexts.thing}>
        {(answer) => <ProfileForm saved={answer} profile={profile} />}
      </QueryContent>
    </Page>
  );
}

type ProfileFormProps = { saved: ProfileSettings; profile: ManagedProfile | undefined };

function ProfileForm({ saved, profile }: ProfileFormProps) {
  const form = useProfileForm(saved, profile?.slug);
  const hours = useHoursDialog();
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
            {profile && (
              <Card
                title={profileTexts.desks}
                aside={
                  <Link className="label" to={`/handlers?profile=${profile.slug}`}>
                    {adminTexts.people}
                  </Link>
                }
              >
                <ProfileDesks profile={profile} onEdit={hours.edit} />
              </Card>
            )}
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
      {hours.dialog}
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

type PictureFieldProps = {
  name: string;
  url: string | null;
  /** A square image, or null to remove it. */
  onChange: (picture: Blob | null) => void;
};

function PictureField({ name, url, onChange }: PictureFieldProps) {
  const [picked, setPicked] = useState<{ picture: ImageBitmap; CropDialog: typeof Cropper } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  async function pick(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const problem = problemOf(file);
    setError(problem ?? null);
    if (problem !== undefined) return;
    const picture = await createImageBitmap(file).catch(() => undefined);
    if (picture === undefined) return setError(profileTexts.pictureUnreadable);
    try {
      // Loaded on demand, because most visits do not change the image.
      const { CropDialog } = await import('./CropDialog.tsx');
      setPicked({ picture, CropDialog });
    } catch (failure) {
      console.error('cropper:', failure);
      picture.close();
      setError(texts.networkError);
    }
  }

  function closeDialog(): void {
    // Frees the memory at once.
    picked?.picture.close();
    setPicked(null);
  }

  return (
    <section className={picture.field} aria-labelledby={`${id}-label`}>
      <Avatar letters={initials(name)} url={url} size={104} />
      <div className={picture.words}>
        <b id={`${id}-label`}>{profileTexts.picture}</b>
        <p id={`${id}-help`} className="quiet">
          {profileTexts.pictureHelp}
          {url === null && (
            <>
              <br />
              {fillText(profileTexts.noPicture, { initials: initials(name) })}
            </>
          )}
        </p>
        <div className={picture.buttons}>
          <Button look="outline" aria-describedby={`${id}-help`} onClick={() => input.current?.click()}>
            {url === null ? profileTexts.choosePicture : profileTexts.changePicture}
          </Button>
          {url !== null && (
            <Button look="outline" onClick={() => onChange(null)}>
              {profileTexts.removePicture}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={profileTexts.choosePicture}
          accept={IMAGE_TYPES.join(',')}
          onChange={(event) => {
            void pick(event.target.files?.[0]);
            // Lets the same file be picked again.
            event.target.value = '';
          }}
        />
        <FieldError text={error} />
      </div>
      {picked && <picked.CropDialog picture={picked.picture} onClose={closeDialog} onCropped={onChange} />}
    </section>
  );
}

function problemOf(file: File): string | undefined {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return texts.imageWrongType;
  return file.size > AVATAR_MAX_BYTES ? profileTexts.pictureTooLarge : undefined;
}
