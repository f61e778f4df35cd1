import { ListedState, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

/** As the dashboard's card counts them: an invite is opened, and then a conversation started. */
export function stateWord(state: ListedState): string {
  return texts.states[state];
}

export const stateTone = {
  NEW: 'brand',
  SEEN: 'warn',
  BOUND: 'good',
  REVOKED: 'bad',
  EXPIRED: 'plain',
} as const satisfies Record<ListedState, string>;

export const listedStates = ListedState.options;

/** What to call it: on the command line an invite can be made without a label. */
export function inviteName({ label }: Pick<ManagedInvite, 'label'>): string {
  return label === '' ? texts.unlabelled : label;
}
