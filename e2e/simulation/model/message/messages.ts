import { AUTHORS_MAX } from '@settee/protocol/model/author';
import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import type * as real from '../../../../server/src/db/message/messages.ts';
import { mediaOf } from '../media/mediaOf.ts';
import { modelled } from '../modelDatabase.ts';
import type { ModelMessage, State } from '../state.ts';

export const readMessages: typeof real.readMessages = modelled(
  'readMessages',
  (state, conversationId, { after, before = Number.POSITIVE_INFINITY, limit = MESSAGE_PAGE } = {}) => {
    const all = messagesIn(state, conversationId);
    const page =
      after === undefined
        ? all.filter(({ seq }) => seq < before).slice(-limit)
        : all.filter(({ seq }) => seq > after).slice(0, limit);
    return page.map(
      ({ seq, id, fromOwner, createdAt, text, mediaId }): Message => ({
        conversationId,
        seq,
        id,
        sender: fromOwner ? 'owner' : 'visitor',
        text,
        createdAt,
        ...mediaOf(state, mediaId),
      }),
    );
  },
);

export const storedOf: typeof real.storedOf = modelled('storedOf', (state, conversationId, ids) =>
  messagesIn(state, conversationId)
    .map(({ id }) => id)
    .filter((id) => ids.includes(id)),
);

export const readAuthors: typeof real.readAuthors = modelled(
  'readAuthors',
  (state, conversationId, from, to) =>
    messagesIn(state, conversationId)
      .filter(({ fromOwner, seq }) => fromOwner && seq >= from && seq <= to)
      .flatMap(({ seq, authorId }) => {
        const author = state.staff.get(authorId);
        return author === undefined ? [] : [{ seq, author: { id: author.id, name: author.name } }];
      })
      .reverse()
      .slice(0, AUTHORS_MAX),
);

function messagesIn(state: State, conversationId: string): readonly ModelMessage[] {
  return state.messages.get(conversationId) ?? [];
}
