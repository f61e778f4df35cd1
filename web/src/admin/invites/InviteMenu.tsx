import { fillText } from '@settee/protocol/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { ManagedInvite } from '@settee/protocol/managedInvite';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import type { Asked } from './InviteDialog.tsx';
import styles from './InviteMenu.module.css';
import { inviteName } from './inviteName.ts';

/** What can be done with one invite, as far as its state allows it. */
export function InviteMenu({ invite, onAsk }: { invite: ManagedInvite; onAsk: (asked: Asked) => void }) {
  const { state } = invite;
  if (state === 'REVOKED') return null;
  return (
    <MenuButton
      label={fillText(texts.actionsOf, { label: inviteName(invite) })}
      className={styles.button}
      face={<Icon name="more" />}
    >
      {(choose) => (
        <>
          <MenuItem onClick={() => choose(() => onAsk({ what: 'edit', invite }))}>{texts.edit}</MenuItem>
          {/* The new link would have expired as well: its days come first, by Edit. */}
          {state !== 'EXPIRED' && (
            <MenuItem onClick={() => choose(() => onAsk({ what: 'replace', invite }))}>
              {texts.replaceLink}
            </MenuItem>
          )}
          {state === 'BOUND' && (
            <MenuItem onClick={() => choose(() => onAsk({ what: 'code', invite }))}>
              {texts.resetCode}
            </MenuItem>
          )}
          <MenuItem
            className={styles.danger}
            onClick={() => choose(() => onAsk({ what: 'revoke', invites: [invite] }))}
          >
            {texts.revoke}
          </MenuItem>
        </>
      )}
    </MenuButton>
  );
}
