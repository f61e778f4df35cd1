import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { RowMenu, RowTask } from '../parts/RowMenu.tsx';
import type { Asked } from './InviteDialog.tsx';
import { inviteName } from './inviteName.ts';

/** What can be done with one invite, as far as its state allows it. */
export function InviteMenu({ invite, onAsk }: { invite: ManagedInvite; onAsk: (asked: Asked) => void }) {
  const { state } = invite;
  if (state === 'REVOKED') return null;
  return (
    <RowMenu label={fillText(texts.actionsOf, { label: inviteName(invite) })}>
      {(choose) => (
        <>
          <RowTask onClick={() => choose(() => onAsk({ what: 'edit', invite }))}>{texts.edit}</RowTask>
          {/* The new link would have expired as well: its days come first, by Edit. */}
          {state !== 'EXPIRED' && (
            <RowTask onClick={() => choose(() => onAsk({ what: 'replace', invite }))}>
              {texts.replaceLink}
            </RowTask>
          )}
          {state === 'BOUND' && (
            <RowTask onClick={() => choose(() => onAsk({ what: 'code', invite }))}>{texts.resetCode}</RowTask>
          )}
          <RowTask danger onClick={() => choose(() => onAsk({ what: 'revoke', invites: [invite] }))}>
            {texts.revoke}
          </RowTask>
        </>
      )}
    </RowMenu>
  );
}
