import type { SavedReply } from '@settee/protocol/model/savedReply';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import type { SavedReplyRow } from '../../db/replies/savedReplies.ts';

/** What reading, saving and deleting saved replies have in common: whose they are, and how they look. */

export function mayChange(staff: Staff, reply: Pick<SavedReplyRow, 'staffId'>): boolean {
  return reply.staffId === staff.staffId || staff.role === 'admin';
}

export function savedReplyView(staff: Staff, row: SavedReplyRow): SavedReply {
  const { id, shortcut, text, shared } = row;
  return { id, shortcut, text, shared, editable: mayChange(staff, row) };
}

/** One that is somebody else's and one that does not exist are the same answer. */
export function noSuchReply(): Refusal {
  return new Refusal('not_found', 'There is no such saved reply');
}
