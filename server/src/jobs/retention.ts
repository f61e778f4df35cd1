import { insertAudit } from '../db/audit/audit.ts';
import { eraseRows } from '../db/conversation/erasure.ts';
import { eraseExpiredInvites, findExpiredConversations } from '../db/conversation/retention.ts';
import type { Database } from '../db/engine/database.ts';

/** Conversations per query, so that the first run over years of data consists of short steps. */
const BATCH = 100;

/** Erases expired conversations and invites, each with its audit entry. A run that died is completed by the next. */
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

/** One transaction per conversation. One with a new message meanwhile stays. */
async function eraseOne(db: Database, conversationId: string): Promise<boolean> {
  return db.transaction(async (step) => {
    if (!(await eraseRows(step, conversationId, 'retention'))) return false;
    await insertAudit(step, { actor: 'system', action: 'conversation.erase', target: conversationId });
    return true;
  });
}

async function eraseInvites(db: Database, batch: number): Promise<number> {
  return db.transaction(async (step) => {
    const invites = await eraseExpiredInvites(step, batch);
    if (invites > 0) {
      const details = { invites };
      await insertAudit(step, { actor: 'system', action: 'retention.run', target: 'invites', details });
    }
    return invites;
  });
}
