import { audited } from '../platform/db/audited.ts';
import type { Database } from '../platform/db/database.ts';
import { isLeaving } from '../platform/db/fence.ts';
import { eraseRows } from './erasure.store.ts';
import { eraseInvites, expiredConversations, expiredInvites } from './retention.store.ts';

/** Invites per transaction and audit entry. */
const BATCH = 100;

/** Erases expired conversations and invites, each with its audit entry. A run that died is completed by the next. */
export async function eraseExpired({
  db,
}: {
  db: Database;
}): Promise<{ conversations: number; invites: number }> {
  const erased = { conversations: 0, invites: 0 };
  for await (const id of expiredConversations(db)) {
    if (await eraseOne(db, id)) erased.conversations += 1;
  }
  let ids: string[] = [];
  for await (const id of expiredInvites(db)) {
    ids.push(id);
    if (ids.length < BATCH) continue;
    erased.invites += await eraseBatch(db, ids);
    ids = [];
  }
  erased.invites += await eraseBatch(db, ids);
  return erased;
}

/** One transaction per conversation. One with a new message meanwhile stays, and so does one whose desk moves. */
async function eraseOne(db: Database, conversationId: string): Promise<boolean> {
  try {
    return await audited({ db }, 'system', async (step, record) => {
      if (!(await eraseRows(step, conversationId, 'retention'))) return false;
      record('conversation.erase', conversationId);
      return true;
    });
  } catch (error) {
    if (isLeaving(error)) return false;
    throw error;
  }
}

function eraseBatch(db: Database, ids: readonly string[]): Promise<number> {
  return audited({ db }, 'system', async (step, record) => {
    const invites = await eraseInvites(step, ids);
    if (invites > 0) record('retention.run', 'invites', { invites });
    return invites;
  });
}
