import type { BlockHours } from '@settee/protocol/block';
import type { ConversationStatus } from '@settee/protocol/conversation';
import type { App } from '../app.ts';
import { deskOf, type Staff } from '../caller.ts';
import { insertAudit } from '../db/audit.ts';
import { removeBlock, writeBlock } from '../db/blocks.ts';
import { moveStatus } from '../db/conversations.ts';

export type StatusChange = {
  status: ConversationStatus;
  /** Why it is blocked, or no longer: staff's own words. */
  reason?: string | undefined;
  /** A block ends by itself after so long. */
  hours?: BlockHours | undefined;
  /** Only a conversation that is in this status. */
  from?: ConversationStatus | undefined;
};

const ACTIONS = { open: 'conversation.open', closed: 'conversation.close', blocked: 'conversation.block' };

/** In one transaction with its line in the audit log. False when it is not this desk's, or not as it should be. */
export async function changeStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  { status, reason, hours, from }: StatusChange,
): Promise<boolean> {
  const changed = await app.db.sql.transaction().execute(async (db) => {
    const moved = await moveStatus(db, { conversationId, alias: deskOf(staff), status, from });
    if (moved === undefined) return undefined;
    let until: Date | null = null;
    if (status === 'blocked') until = await writeBlock(db, conversationId, { reason, hours });
    else await removeBlock(db, conversationId);
    await insertAudit(db, {
      actor: staff.staffId,
      action: ACTIONS[status],
      target: conversationId,
      details: {
        ...(moved.before === 'blocked' && { from: 'blocked' }),
        ...(reason !== undefined && { reason }),
        ...(until !== null && { until: until.toISOString() }),
      },
    });
    return moved;
  });
  if (changed === undefined) return false;
  app.announce.conversationChanged({ id: conversationId, handlerAlias: changed.handlerAlias });
  return true;
}
