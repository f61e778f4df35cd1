import { texts } from '@settee/protocol/texts';
import { useCopy } from '../chat/useCopy.ts';
import { Icon } from '../ui/Icon.tsx';
import styles from './CodeBanner.module.css';

/** How to go on with this chat on another device. */
export function CodeBanner({ code, onDismiss }: { code: string; onDismiss: () => void }) {
  const { copied, copy } = useCopy();
  return (
    <aside className={styles.banner}>
      <p className={styles.words}>
        {texts.codeBanner} <b>{code}</b>
      </p>
      <button type="button" className={styles.copy} onClick={() => void copy(code)}>
        {texts.copy}
      </button>
      <button type="button" className={styles.dismiss} aria-label={texts.dismiss} onClick={onDismiss}>
        <Icon name="x" size={18} />
      </button>
      <p className={styles.copied} role="status">
        {copied && texts.codeCopied}
      </p>
    </aside>
  );
}
