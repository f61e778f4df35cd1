import { adminTexts } from '@settee/protocol/adminTexts';
import { csvLine } from '@settee/protocol/csv';
import { fillText } from '@settee/protocol/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { ManagedInvite } from '@settee/protocol/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { useCopy } from '../../chat/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './BulkBar.module.css';
import { stateWord } from './stateWords.ts';

type BulkBarProps = {
  selected: ManagedInvite[];
  onClear: () => void;
  onRevoke: (invites: ManagedInvite[]) => void;
};

/** What can be done with all that are selected. */
export function BulkBar({ selected, onClear, onRevoke }: BulkBarProps) {
  const { copied, copy } = useCopy();
  const revocable = selected.filter(({ state }) => state !== 'REVOKED');
  return (
    <section
      className={styles.bar}
      aria-label={fillText(adminTexts.selected, { count: String(selected.length) })}
    >
      <b role="status">{fillText(adminTexts.selected, { count: selected.length.toLocaleString('en') })}</b>
      <Button look="outline" onClick={() => void copy(asCsv(selected))}>
        {copied ? adminTexts.copied : texts.copyRows}
      </Button>
      <Button look="outline" danger disabled={revocable.length === 0} onClick={() => onRevoke(revocable)}>
        {texts.revokeSelected}
      </Button>
      <Button look="bare" onClick={onClear}>
        {adminTexts.clearSelection}
      </Button>
    </section>
  );
}

/** Everything of the rows but their links, which nobody knows any more. */
function asCsv(invites: ManagedInvite[]): string {
  const head = csvLine([texts.label, texts.state, texts.handler, texts.visitor, texts.expires]);
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
