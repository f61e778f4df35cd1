import { insertAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { eraseRows } from '../db/erasure.ts';
import { eraseExpiredInvites, expiredConversations } from '../db/retention.ts';

/** One look's work, so that a first run over years of conversations is many short steps. */
const BATCH = 100;

/** Also what a run that died left out: the next one finds it the same way. */
export async function eraseExpired(
  { db }: { db: Database },
  batch = BATCH,
): Promise<{ conversations: number; invites: number }> {
  const erased = { conversations: 0, invites: 0 };
  try {
    for (;;) {
      const ids = await expiredConversations(db, batch);
      const before = erased.conversations;
      for (const id of ids) {
        // Each by itself: nobody waits for a whole batch. One that was written in meanwhile stays.
        const gone = await db.sql.transaction().execute((step) => eraseRows(step, id, { ifExpired: true }));
        if (gone) erased.conversations += 1;
      }
      if (ids.length < batch || erased.conversations === before) break;
    }
    for (let gone = batch; gone === batch; erased.invites += gone)
      gone = await eraseExpiredInvites(db, batch);
  } finally {
    // Also of a run that failed half-way.
    if (erased.conversations + erased.invites > 0) {
      await insertAudit(db.sql, {
        actor: 'system',
        action: 'retention.run',
        target: 'conversations',
        details: erased,
      });
    }
  }
  return erased;
}
