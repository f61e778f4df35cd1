import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { Shape } from '../../../ui/Icon.tsx';
import styles from './Drop.module.css';
import { imageShape } from './shape.ts';

/** Over the page while a file is dragged across it. */
export function DropHere() {
  return (
    <div className={styles.over}>
      <p className={styles.place}>
        <Shape paths={imageShape} size={32} />
        {imageTexts.dropHere}
      </p>
    </div>
  );
}
