import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { csvLine } from '@settee/protocol/render/csv';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useCopy } from '../../browser/useCopy.ts';
import { Icon } from '../../ui/Icon.tsx';
import { BulkBar } from '../parts/BulkBar.tsx';
import { stateWord } from './inviteText.ts';

type InviteBulkBarProps = {
  selected: ManagedInvite[];
  onClear: () => void;
  onRevoke: (invites: ManagedInvite[]) => void;
};

/** Actions for all selected invites. Links are not available here. */
export function InviteBulkBar({ selected, onClear, onRevoke }: InviteBulkBarProps) {
  const { copied, copy } = useCopy();
  const revocable = selected.filter(({ state }) => state !== 'REVOKED');
  return (
    <BulkBar count={selected.length} onClear={onClear}>
      <button type="button" onClick={() => void copy(asCsv(selected))}>
        <Icon name="copy" size={17} />
        {copied ? adminTexts.copied : texts.copyRows}
      </button>
      <button type="button" data-danger disabled={revocable.length === 0} onClick={() => onRevoke(revocable)}>
        <Icon name="ban" size={17} />
        {texts.revoke}
      </button>
    </BulkBar>
  );
}

/** The rows without their links. */
function asCsv(invites: ManagedInvite[]): string {
  const head = csvLine([texts.label, texts.state, texts.desk, texts.visitor, texts.expires]);
  const lines = invites.map(({ label, state, handlerAlias, conversation, expiresAt }) =>
    csvLine([
      label,
      stateWord(state),
      handlerAlias,
      conversation && visitorNameOrLabel(conversation),
      new Date(expiresAt).toISOString(),
    ]),
  );
  return head + lines.join('');
}
