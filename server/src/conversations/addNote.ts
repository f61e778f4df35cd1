import type { Note } from '@settee/protocol/model/note';
import { accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import { findNote, insertNote } from './notes.store.ts';

/** Adds a note for colleagues, also to a closed conversation. Safe to repeat with the same id. */
export async function addNote(
  app: App,
  staff: Staff,
  draft: { conversationId: string; id: string; text: string },
): Promise<Note> {
  await accessTo(app, staff, draft.conversationId);
  const { staffId } = staff;
  const { added, stored } = await audited(app, staff, async (db, record) => {
    const added = await insertNote(db, { ...draft, authorId: staffId }, reachOf(staff));
    const stored = await findNote(db, draft.id);
    if (added !== undefined) record('note.add', draft.conversationId);
    return { added, stored };
  });
  // The conversation was handed over between the check and the lock.
  if (stored === undefined) throw new Refusal('not_found');
  const { note, authorId } = stored;
  if (added === undefined) {
    const same =
      note.conversationId === draft.conversationId &&
      note.text === draft.text &&
      note.handover === undefined &&
      authorId === staffId;
    if (!same) throw new Refusal('id_reused');
    return note;
  }
  app.announce.noteAdded({ note, ...added });
  return note;
}
