import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import { ListedState } from '@settee/protocol/managedInvite';

/** The states' own names are what the product calls them; that it has expired is a word about its date. */
export function stateWord(state: ListedState): string {
  return state === 'EXPIRED' ? texts.expired : state;
}

export const stateTone = {
  NEW: 'brand',
  SEEN: 'warn',
  BOUND: 'good',
  REVOKED: 'bad',
  EXPIRED: 'plain',
} as const satisfies Record<ListedState, string>;

export const listedStates = ListedState.options;
