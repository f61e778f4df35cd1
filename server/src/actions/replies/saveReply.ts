import { SAVED_REPLIES_MAX, type SavedReply } from '@settee/protocol/model/savedReply';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import {
  countReplies,
  findReply,
  insertReply,
  lockReplies,
  updateReply,
} from '../../db/replies/savedReplies.ts';
import { mayChange, noSuchReply, savedReplyView } from './replyRules.ts';

/** Makes or changes one. An admin who changes somebody's leaves it theirs. */
export async function saveReply(
  app: App,
  staff: Staff,
  draft: { id: string; shortcut: string; text: string; shared: boolean },
): Promise<SavedReply> {
  const { staffId } = staff;
  const row = await app.db.sql.transaction().execute(async (db) => {
    await lockReplies(db, staffId);
    const before = await findReply(db, draft.id);
    if (before !== undefined && !mayChange(staff, before)) throw noSuchReply();
    if (before === undefined && (await countReplies(db, staffId)) >= SAVED_REPLIES_MAX) {
      throw new Refusal('bad_request', `You can keep ${SAVED_REPLIES_MAX} saved replies`);
    }
    const after = { ...draft, staffId: before?.staffId ?? staffId };
    const written = await (before === undefined ? insertReply(db, after) : updateReply(db, after));
    if (written === 'shortcut_taken') throw new Refusal('shortcut_taken');
    // Somebody else minted the same id and was quicker.
    if (written === 'id_taken') throw noSuchReply();
    if (after.shared || before?.shared === true) {
      const details = { shortcut: after.shortcut, shared: after.shared };
      await insertAudit(db, { actor: staffId, action: 'reply.save', target: draft.id, details });
    }
    return after;
  });
  app.announce.managementChanged('audit');
  return savedReplyView(staff, row);
}
