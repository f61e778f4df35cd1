import { SAVED_REPLIES_MAX, type SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { DbTransaction } from '../platform/db/database.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import * as replies from './savedReplies.store.ts';
import {
  countReplies,
  findReply,
  insertReply,
  isProfileWithin,
  lockReplies,
  type SavedReplyRow,
  updateReply,
} from './savedReplies.store.ts';

/** Creates or changes a saved reply. An administrator's change keeps the owner. */
export async function saveReply(
  app: App,
  staff: Staff,
  draft: {
    id: string;
    shortcut: string;
    text: string;
    shared: boolean;
    profile?: string | null | undefined;
  },
): Promise<SavedReply> {
  const { staffId } = staff;
  const row = await audited(app, staff, async (db, record) => {
    await lockReplies(db, staffId);
    const before = await findReply(db, draft.id);
    if (before !== undefined && !(await mayChangeNow(db, staff, before))) throw noSuchReply();
    if (before === undefined && (await countReplies(db, staffId)) >= SAVED_REPLIES_MAX) {
      throw new Refusal('bad_request', consoleTexts.tooManyReplies, { values: { max: SAVED_REPLIES_MAX } });
    }
    const { profile = before?.profile ?? null } = draft;
    if (profile !== null && !(await isProfileWithin(db, profile, reachOf(staff))))
      throw new Refusal('bad_request', profileTexts.noSuchProfile);
    const after = { ...draft, profile, staffId: before?.staffId ?? staffId };
    const written = await (before === undefined ? insertReply(db, after) : updateReply(db, after));
    if (written === 'shortcut_taken') throw new Refusal('shortcut_taken');
    // Someone else used the same id first.
    if (written === 'id_taken') throw noSuchReply();
    if (after.shared || before?.shared === true) {
      record('reply.save', draft.id, { shortcut: after.shortcut, shared: after.shared, ...of(after) });
    }
    return after;
  });
  return savedReplyView(staff, row);
}

/** Only the deletion of a shared reply is audited. */
export async function deleteReply(app: App, staff: Staff, id: string): Promise<void> {
  await audited(app, staff, async (db, record) => {
    const reply = await replies.findReply(db, id);
    if (reply === undefined || !(await mayChangeNow(db, staff, reply))) throw noSuchReply();
    await replies.deleteReply(db, id);
    if (reply.shared) record('reply.delete', id, { shortcut: reply.shortcut, ...of(reply) });
  });
}

/** Not of a profile of which the owner has no desk any more. */
async function mayChangeNow(db: DbTransaction, staff: Staff, reply: SavedReplyRow): Promise<boolean> {
  const { profile } = reply;
  return mayChange(staff, reply) && (profile === null || isProfileWithin(db, profile, reachOf(staff)));
}

function of({ profile }: SavedReplyRow): { profile?: string } {
  return profile === null ? {} : { profile };
}

function mayChange(staff: Staff, reply: Pick<SavedReplyRow, 'staffId'>): boolean {
  return reply.staffId === staff.staffId || staff.role === 'admin';
}

export function savedReplyView(staff: Staff, row: SavedReplyRow): SavedReply {
  const { id, shortcut, text, shared } = row;
  return { id, shortcut, text, shared, ...of(row), editable: mayChange(staff, row) };
}

/** The same answer for a missing reply and for someone else's. */
export function noSuchReply(): Refusal {
  return new Refusal('not_found', consoleTexts.noSuchReply);
}
