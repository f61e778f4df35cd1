import { ListedState, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

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

/** Invites made on the command line may have no label. */
export function inviteName({ label }: Pick<ManagedInvite, 'label'>): string {
  return label === '' ? texts.unlabelled : label;
}
