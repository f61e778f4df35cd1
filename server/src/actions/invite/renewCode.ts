import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Caller } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { mintCode } from './mintCode.ts';

/** A new continue code with a clean record, for the first device or for staff at that desk. */
export async function renewCode(app: App, caller: Caller, conversationId: string): Promise<string> {
  const { conversation, isFirstDevice } = await accessTo(app, caller, conversationId);
  // Otherwise whoever attached once could let in anyone else.
  if (caller.kind === 'visitor' && !isFirstDevice) {
    throw new Refusal('access_denied', 'Only the first device can make a new code');
  }
  const { code } = await app.db.sql.transaction().execute(async (db) => {
    const minted = await mintCode(app, db, conversation.inviteId);
    if (caller.kind === 'staff') {
      await insertAudit(db, { actor: caller.staffId, action: 'code.renew', target: conversationId });
    }
    return minted;
  });
  app.announce.conversationChanged(conversation);
  if (caller.kind === 'staff') app.announce.managementChanged('audit');
  return code;
}
