import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

/** What to call it: on the command line an invite can be made without a label. */
export function inviteName({ label }: Pick<ManagedInvite, 'label'>): string {
  return label === '' ? texts.unlabelled : label;
}
