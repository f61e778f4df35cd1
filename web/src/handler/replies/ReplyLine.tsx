import type { SavedReply } from '@settee/protocol/model/savedReply';
import styles from './ReplyLine.module.css';

export function ReplyLine({ reply }: { reply: SavedReply }) {
  return (
    <>
      <code className={styles.shortcut} dir="ltr">
        /{reply.shortcut}
      </code>
      <span className={styles.text} dir="auto">
        {reply.text}
      </span>
    </>
  );
}
