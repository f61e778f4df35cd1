import { accessTo } from '../access.ts';
import type { App } from '../app.ts';
import { deskOf, type Staff } from '../caller.ts';
import { insertAudit } from '../db/audit.ts';
import { lockDeskOf, moveToDesk, tellNewDesk } from '../db/handOver.ts';
import { findNote, insertNote } from '../db/notes.ts';
import { aliasExists } from '../db/staff.ts';
import { Refused } from '../refused.ts';

/**
 * Hands the conversation over to another desk, with a note for whoever takes over. The invite stays with the desk that
 * it was made for: once it is bound, nothing asks it where the conversation is.
 */
export async function transfer(
  app: App,
  staff: Staff,
  conversationId: string,
  /** `from`: only while it is still there. */
  handover: { alias: string; note: string; from?: string },
): Promise<void> {
  await accessTo(app, staff, conversationId);
  const to = handover.alias;
  const moved = await app.db.sql.transaction().execute(async (db) => {
    const from = await lockDeskOf(db, conversationId, handover.from ?? deskOf(staff));
    if (from === undefined) throw new Refused('not_found');
    if (from === to) throw new Refused('bad_request', 'The conversation is at this desk already');
    if (!(await aliasExists(db, to))) throw new Refused('bad_request', 'There is no such desk');
    await moveToDesk(db, conversationId, to);
    await tellNewDesk(db, conversationId);
    const id = app.random.uuid();
    const note = { id, conversationId, authorId: staff.staffId, text: handover.note, handover: { from, to } };
    await insertNote(db, note, to);
    await insertAudit(db, {
      actor: staff.staffId,
      action: 'conversation.transfer',
      target: conversationId,
      details: { from, to },
    });
    return { from, stored: await findNote(db, id) };
  });
  if (moved.stored === undefined) throw new Error('the note of a hand-over is missing');
  app.announce.handedOver({ id: conversationId, from: moved.from, to, note: moved.stored.note });
}
