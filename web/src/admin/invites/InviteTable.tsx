import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useMinute } from '../../staff/useMinute.ts';
import { ListTable } from '../parts/ListTable.tsx';
import type { Selection } from '../parts/useSelection.ts';
import type { Asked } from './InviteDialog.tsx';
import { columns, InviteRow } from './InviteRow.tsx';

type InviteTableProps = {
  rows: readonly ManagedInvite[];
  selection: Selection;
  onAsk: (asked: Asked) => void;
};

export function InviteTable({ rows, selection, onAsk }: InviteTableProps) {
  const now = useMinute();
  return (
    <ListTable
      label={adminTexts.invites}
      columns={columns}
      ticks={{ ...selection.ticks, label: texts.selectShown }}
      menus={texts.actions}
    >
      {rows.map((invite) => (
        <InviteRow
          key={invite.id}
          invite={invite}
          now={now}
          selected={selection.selected.includes(invite.id)}
          onSelect={(on) => selection.select(invite.id, on)}
          onAsk={onAsk}
        />
      ))}
    </ListTable>
  );
}
