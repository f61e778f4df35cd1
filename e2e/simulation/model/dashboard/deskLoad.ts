import type * as real from '../../../../server/src/db/dashboard/deskLoad.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/dashboard/deskLoad.ts';

export const readDeskLoad: typeof real.readDeskLoad = modelled(
  'readDeskLoad',
  ({ conversations, invites }, alias) => ({
    conversations: conversations.where(
      ({ handlerAlias, status }) => handlerAlias === alias && status === 'open',
    ).length,
    invites: invites.where(
      ({ handlerAlias, state }) => handlerAlias === alias && (state === 'NEW' || state === 'SEEN'),
    ).length,
  }),
);
