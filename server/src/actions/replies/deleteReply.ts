import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import * as replies from '../../db/replies/savedReplies.ts';
import { mayChange, noSuchReply } from './replyRules.ts';

/** What was shared was everyone's: its end is in the log. */
export async function deleteReply(app: App, staff: Staff, id: string): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    const reply = await replies.findReply(db, id);
    if (reply === undefined || !mayChange(staff, reply)) throw noSuchReply();
    await replies.deleteReply(db, id);
    if (!reply.shared) return;
    const details = { shortcut: reply.shortcut };
    await insertAudit(db, { actor: staff.staffId, action: 'reply.delete', target: id, details });
  });
  app.announce.managementChanged('audit');
}
