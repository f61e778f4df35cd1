import { type Modelled, model } from '../model/model.ts';
import type { State } from '../model/state.ts';

/** A wrong model. The comparison must find each of them. */
type PlantedFault = { what: string; wrong: Partial<Modelled> };

function stateOf(db: unknown): State {
  return (db as { state: State }).state;
}

export const plantedFaults: Record<string, PlantedFault> = {
  unreadStays: {
    what: 'seen messages stay unread',
    wrong: {
      async markSeen(db, reader, seq) {
        const { conversations } = stateOf(db);
        const { unread = 0 } = conversations.get(reader.conversationId) ?? {};
        const result = await model.markSeen(db, reader, seq);
        conversations.update(reader.conversationId, { unread });
        return result;
      },
    },
  },
  seenGoesBack: {
    what: "a visitor's seen mark goes backwards",
    wrong: {
      async markSeen(db, reader, seq) {
        const result = await model.markSeen(db, reader, seq);
        if (reader.side === 'visitor')
          stateOf(db).conversations.update(reader.conversationId, { visitorSeen: seq });
        return result;
      },
    },
  },
  repeatMovesOn: {
    what: 'a repeat gets another number',
    wrong: {
      async callAppend(...args) {
        const rows = await model.callAppend(...args);
        return rows.map(([item, outcome, seq, ...rest]) => [
          ...([item, outcome, outcome === 1 ? seq + 1 : seq] as const),
          ...rest,
        ]);
      },
    },
  },
  outdatedByOne: {
    what: 'a reply is not outdated by the message just after what its author saw',
    wrong: {
      callAppend: (connection, batch, lookUp) =>
        model.callAppend(
          connection,
          batch.map(({ draft, resolve }) => ({
            draft: { ...draft, after: draft.after === null ? null : draft.after + 1 },
            resolve,
          })),
          lookUp,
        ),
    },
  },
  violationForgotten: {
    what: 'a batch with a repeat does not fail without a look-up',
    wrong: {
      callAppend: (connection, batch) => model.callAppend(connection, batch, true),
    },
  },
  blockForgotten: {
    what: 'a block has no end',
    wrong: {
      writeBlock: (db, id, block) => model.writeBlock(db, id, { ...block, hours: null }),
    },
  },
  deviceStays: {
    what: 'a revoked device stays',
    wrong: {
      revokeDevice: async (db, id, visitorId) =>
        (await model.readDevices(db, id)).some((device) => device.visitorId === visitorId),
    },
  },
  movedSilently: {
    what: 'a conversation that was handed over is not marked unread',
    wrong: {
      async moveToDesk(db, conversationId, alias) {
        await model.moveToDesk(db, conversationId, alias);
        await model.markUnread(db, { conversationId, reach: [alias], unread: false });
      },
    },
  },
  leaseStays: {
    what: 'presence lasts a second too long',
    wrong: {
      renewPresence: (db, gatewayId, aliases, seconds) =>
        model.renewPresence(db, gatewayId, aliases, seconds + 1),
    },
  },
  erasedStays: {
    what: 'an erased conversation stays',
    wrong: {
      eraseRows: async (db, id) => model.findForDesk(db, id, null),
    },
  },
};
