import { insertAudit } from '../db/audit/audit.ts';
import { eraseRows } from '../db/conversation/erasure.ts';
import { eraseExpiredInvites, findExpiredConversations } from '../db/conversation/retention.ts';
import type { Database } from '../db/engine/database.ts';

/** One look's work, so that a first run over years of conversations is many short steps. */
const BATCH = 100;

/**
 * Also what a run that died left out: the next one finds it the same way. Whatever goes, goes together with its line in
 * the audit log.
 */
export async function eraseExpired(
  { db }: { db: Database },
  batch = BATCH,
): Promise<{ conversations: number; invites: number }> {
  const erased = { conversations: 0, invites: 0 };
  for (;;) {
    const ids = await findExpiredConversations(db, batch);
    const before = erased.conversations;
    for (const id of ids) if (await eraseOne(db, id)) erased.conversations += 1;
    if (ids.length < batch || erased.conversations === before) break;
  }
  for (let gone = batch; gone === batch; erased.invites += gone) gone = await eraseInvites(db, batch);
  return erased;
}

/** Each by itself: nobody waits for a whole batch. One that was written in meanwhile stays. */
async function eraseOne(db: Database, conversationId: string): Promise<boolean> {
  return db.sql.transaction().execute(async (step) => {
    if (!(await eraseRows(step, conversationId, 'retention'))) return false;
    await insertAudit(step, { actor: 'system', action: 'conversation.erase', target: conversationId });
    return true;
  });
}

async function eraseInvites(db: Database, batch: number): Promise<number> {
  return db.sql.transaction().execute(async (step) => {
    const invites = await eraseExpiredInvites(step, batch);
    if (invites > 0) {
      const details = { invites };
      await insertAudit(step, { actor: 'system', action: 'retention.run', target: 'invites', details });
    }
    return invites;
  });
}
