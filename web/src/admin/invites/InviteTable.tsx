import { adminTexts } from '@settee/protocol/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { ManagedInvite } from '@settee/protocol/managedInvite';
import { useMinute } from '../../staff/useMinute.ts';
import { ListTable } from '../parts/ListTable.tsx';
import type { Asked } from './InviteDialog.tsx';
import { columns, InviteRow } from './InviteRow.tsx';

type InviteTableProps = {
  rows: readonly ManagedInvite[];
  selected: readonly string[];
  onSelect: (id: string, selected: boolean) => void;
  onSelectAll: (selected: boolean) => void;
  onAsk: (asked: Asked) => void;
};

export function InviteTable({ rows, selected, onSelect, onSelectAll, onAsk }: InviteTableProps) {
  const now = useMinute();
  return (
    <ListTable
      label={adminTexts.invites}
      columns={columns}
      ticks={{
        label: texts.selectShown,
        selected: selected.length,
        shown: rows.length,
        onAll: onSelectAll,
      }}
      menus={texts.actions}
    >
      {rows.map((invite) => (
        <InviteRow
          key={invite.id}
          invite={invite}
          now={now}
          selected={selected.includes(invite.id)}
          onSelect={(on) => onSelect(invite.id, on)}
          onAsk={onAsk}
        />
      ))}
    </ListTable>
  );
}
