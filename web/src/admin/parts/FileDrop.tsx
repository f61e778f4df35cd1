import { useId, useState } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import styles from './FileDrop.module.css';

const UP = ['M12 16V4.5', 'M7.5 9 12 4.5 16.5 9', 'M5 19.5h14'];

type FileDropProps = {
  label: string;
  /** Below the label: a hint, or the file that was read. */
  note: string;
  accept: string;
  onFile: (file: File) => void;
};

/** Chooses or drops one file. The real field covers the area, so keyboards and screen readers can use it. */
export function FileDrop({ label, note, accept, onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div className={styles.drop} data-over={over}>
      <Shape paths={UP} size={22} />
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-note`} role="status">
        {note}
      </span>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-note`}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        // Lets the same file be chosen again after an edit.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={({ target: { files } }) => files?.[0] && onFile(files[0])}
      />
    </div>
  );
}
