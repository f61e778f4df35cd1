import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { ManagedInvite } from '@settee/protocol/managedInvite';
import { useMinute } from '../../staff/useMinute.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import table from '../parts/table.module.css';
import type { Asked } from './InviteDialog.tsx';
import { InviteRow } from './InviteRow.tsx';
import styles from './InviteTable.module.css';

type InviteTableProps = {
  rows: ManagedInvite[];
  marked: ReadonlySet<string>;
  onMark: (marked: ReadonlySet<string>) => void;
  onAsk: (asked: Asked) => void;
};

/** A table where there is room, a card for each on a phone. */
export function InviteTable({ rows, marked, onMark, onAsk }: InviteTableProps) {
  const now = useMinute();
  const shown = rows.filter(({ id }) => marked.has(id)).length;
  const all = shown === rows.length;

  function mark(id: string, on: boolean): void {
    const next = new Set(marked);
    if (on) next.add(id);
    else next.delete(id);
    onMark(next);
  }

  return (
    <div className={styles.room}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">
              <label className={styles.check}>
                <input
                  ref={(box) => {
                    if (box) box.indeterminate = shown > 0 && !all;
                  }}
                  type="checkbox"
                  checked={all}
                  onChange={(event) => onMark(new Set(event.target.checked ? rows.map(({ id }) => id) : []))}
                />
                <span className={styles.checkWords}>{texts.selectShown}</span>
              </label>
            </th>
            {[
              texts.label,
              texts.state,
              texts.handler,
              texts.visitor,
              texts.opened,
              texts.created,
              texts.expires,
            ].map((word) => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
            <th scope="col">
              <Hidden>{texts.actions}</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((invite) => (
            <InviteRow
              key={invite.id}
              invite={invite}
              now={now}
              marked={marked.has(invite.id)}
              onMark={(on) => mark(invite.id, on)}
              onAsk={onAsk}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
