import { AVATAR_MAX_BYTES } from '@settee/protocol/calls/profileCalls';
import { initials } from '@settee/protocol/model/initials';
import { IMAGE_TYPES } from '@settee/protocol/model/media';
import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useId, useRef, useState } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import type { CropDialog as Cropper } from './CropDialog.tsx';
import styles from './PictureField.module.css';

type PictureFieldProps = {
  name: string;
  url: string | null;
  /** A square image, or null to remove it. */
  onChange: (picture: Blob | null) => void;
};

export function PictureField({ name, url, onChange }: PictureFieldProps) {
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
    <section className={styles.field} aria-labelledby={`${id}-label`}>
      <Avatar letters={initials(name)} url={url} size={104} />
      <div className={styles.words}>
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
        <div className={styles.buttons}>
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
