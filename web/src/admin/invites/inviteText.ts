import { ListedState, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

export function stateWord(state: ListedState): string {
  return texts.states[state];
}

/** Only states that a link no longer works in stand out. */
export const exceptionTone: Partial<Record<ListedState, 'bad' | 'plain'>> = {
  REVOKED: 'bad',
  EXPIRED: 'plain',
};

export const listedStates = ListedState.options;

/** Invites made on the command line may have no label. */
export function inviteName({ label }: Pick<ManagedInvite, 'label'>): string {
  return label === '' ? texts.unlabelled : label;
}
