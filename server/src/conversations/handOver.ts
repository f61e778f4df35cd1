import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import { nobodyAt, requireStaffedDesks } from '../staff/people/peopleRules.ts';
import { areOfTwoProfiles } from '../staff/people.store.ts';
import { eachOf } from './eachOf.ts';
import { lockConversationDesk, moveToDesk, notifyNewDesk } from './handOver.store.ts';
import { findNote, insertNote } from './notes.store.ts';

/** `there`: the conversation is already at that desk. `otherProfile`: the desk does not belong to its profile. */
type HandOverResult = 'moved' | 'there' | 'gone' | 'otherProfile';

/**
 * Moves a conversation to a staffed desk, with a note for the next handler. The invite keeps its desk: of a bound one,
 * only the profile of the desk is read, which is the same.
 */
export async function handOver(
  app: App,
  staff: Staff,
  conversationId: string,
  /** `whileAt`: move it only if it is at this desk. */
  { alias: to, note: text, whileAt }: { alias: string; note: string; whileAt?: string },
): Promise<HandOverResult> {
  const moved = await audited(app, staff, async (db, record) => {
    await requireStaffedDesks(db, [to]);
    const from = await lockConversationDesk(
      db,
      conversationId,
      whileAt === undefined ? reachOf(staff) : [whileAt],
    );
    if (from === undefined) return 'gone';
    if (from === to) return 'there';
    if (await areOfTwoProfiles(db, from, to)) return 'otherProfile';
    await moveToDesk(db, conversationId, to);
    await notifyNewDesk(db, conversationId);
    const id = app.random.uuid();
    const note = { id, conversationId, authorId: staff.staffId, text, handover: { from, to } };
    await insertNote(db, note, [to]);
    const stored = await findNote(db, id);
    if (stored === undefined) throw new Error('the note of a hand-over is missing');
    record('conversation.transfer', conversationId, { from, to });
    return { from, note: stored.note };
  });
  if (typeof moved === 'string') return moved;
  app.announce.handedOver({ id: conversationId, from: moved.from, to, note: moved.note });
  return 'moved';
}

export async function transfer(
  app: App,
  staff: Staff,
  conversationId: string,
  handover: { alias: string; note: string },
): Promise<void> {
  await accessTo(app, staff, conversationId);
  const done = await handOver(app, staff, conversationId, handover);
  if (done === 'gone') throw new Refusal('not_found');
  if (done === 'otherProfile') throw nobodyAt(handover.alias);
  if (done === 'there') throw new Refusal('bad_request', consoleTexts.transferredAlready);
}

/**
 * Hands over many conversations. Returns those that are gone, already at that desk, or of another profile. Fails if the
 * desk has no staff.
 */
export async function reassignMany(
  app: App,
  staff: Staff,
  { ids, ...handover }: { ids: readonly string[]; alias: string; note: string },
): Promise<{ moved: number; missed: string[] }> {
  const { done, missed } = await eachOf(
    ids,
    async (id) => (await handOver(app, staff, id, handover)) === 'moved',
  );
  return { moved: done, missed };
}
