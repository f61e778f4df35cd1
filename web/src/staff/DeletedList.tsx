import type { DeletedRow } from '@settee/protocol/model/conversation';
import { deletedTexts } from '@settee/protocol/texts/deletedTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { relativeTime } from '../browser/times.ts';
import { Collapsible } from './Collapsible.tsx';
import styles from './DeletedList.module.css';

type DeletedListProps = {
  rows: readonly DeletedRow[];
  now: number;
  desks?: boolean;
};

/** Deleted conversations: when, and by which side. */
export function DeletedList({ rows, now, desks = false }: DeletedListProps) {
  if (rows.length === 0) return null;
  return (
    <div className={styles.deleted}>
      <Collapsible summary={fillText(deletedTexts.count, { count: rows.length })}>
        <ul className={styles.rows} aria-label={deletedTexts.title}>
          {rows.map(({ conversationId, handlerAlias, deletedAt, by }) => (
            <li key={conversationId}>
              <span>{deletedTexts.by[by]}</span>
              <time dateTime={new Date(deletedAt).toISOString()}>{relativeTime(deletedAt, now)}</time>
              <small>
                {desks && `${handlerAlias} · `}
                <code>{conversationId.slice(0, 8)}</code>
              </small>
            </li>
          ))}
        </ul>
        <p>{deletedTexts.note}</p>
      </Collapsible>
    </div>
  );
}
