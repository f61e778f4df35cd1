import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Icon, Shape } from '../../../ui/Icon.tsx';
import dropStyles from './Drop.module.css';
import type { ImageFile } from './imageFile.ts';
import { megabytes } from './imageLabel.ts';
import { imageShape } from './imageShape.ts';
import styles from './PickedImages.module.css';

type PickedProps = { images: readonly ImageFile[]; onRemove: (image: ImageFile) => void };

export function PickedImages({ images, onRemove }: PickedProps) {
  return (
    <ul className={styles.list}>
      {images.map((image, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one file may be picked twice
        <PickedFile key={`${i} ${image.file.name}`} file={image.file} onRemove={() => onRemove(image)} />
      ))}
    </ul>
  );
}

function PickedFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const preview = useObjectUrl(file);
  return (
    <li className={styles.picked}>
      <img className={styles.thumb} src={preview} alt="" draggable={false} />
      <div className={styles.about}>
        <p className={styles.name} dir="auto" title={file.name}>
          {file.name}
        </p>
        <p className={styles.size}>{megabytes(file.size)}</p>
      </div>
      <Button look="round" aria-label={fillText(imageTexts.remove, { name: file.name })} onClick={onRemove}>
        <Icon name="x" size={20} />
      </Button>
    </li>
  );
}

function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** Shown while a file is dragged over the page. */
export function DropOverlay() {
  return (
    <div className={dropStyles.over}>
      <p className={dropStyles.place}>
        <Shape paths={imageShape} size={32} />
        {imageTexts.dropHere}
      </p>
    </div>
  );
}
