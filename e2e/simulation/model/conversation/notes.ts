import { NOTES_MAX, type Note } from '@settee/protocol/model/note';
import type * as real from '../../../../server/src/db/conversation/notes.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export const insertNote: typeof real.insertNote = modelled('insertNote', (state, note, alias) => {
  const { id, conversationId, authorId, text, handover } = note;
  const found = state.conversations.get(conversationId);
  if (found === undefined || (alias !== null && alias !== found.handlerAlias)) return undefined;
  if (state.notes.get(id) !== undefined) return undefined;
  const place = { afterSeq: found.lastSeq, createdAt: state.now() };
  state.notes.set(id, { id, conversationId, authorId, text, handover, ...place });
  return { handlerAlias: found.handlerAlias };
});

function noteOf({ notes, staff }: State, id: string): Note | undefined {
  const found = notes.get(id);
  const author = found && staff.get(found.authorId)?.name;
  if (found === undefined || author === undefined) return undefined;
  const { authorId: _, handover, ...note } = found;
  return { ...note, author, ...(handover !== undefined && { handover }) };
}

export const findNote: typeof real.findNote = modelled('findNote', (state, id) => {
  const note = noteOf(state, id);
  return note && { note, authorId: state.notes.get(id)?.authorId ?? '' };
});

/** In order. */
function notesIn(state: State, conversationId: string): Note[] {
  return state.notes
    .where((note) => note.conversationId === conversationId)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .flatMap(({ id }) => noteOf(state, id) ?? []);
}

export const countNotes: typeof real.countNotes = modelled('countNotes', (state, ids) =>
  [...new Set(ids)]
    .filter((id) => state.conversations.get(id) !== undefined)
    .map((id) => ({ id, count: notesIn(state, id).length })),
);

export const readNotes: typeof real.readNotes = modelled('readNotes', (state, conversationId) =>
  notesIn(state, conversationId).slice(-NOTES_MAX),
);

export const readNotesAndDesk: typeof real.readNotesAndDesk = modelled(
  'readNotesAndDesk',
  (state, conversationId) => {
    const all = notesIn(state, conversationId);
    const handlerAlias =
      all.length === 0 ? '' : (state.conversations.get(conversationId)?.handlerAlias ?? '');
    return { notes: all.slice(-NOTES_MAX), count: all.length, handlerAlias };
  },
);
