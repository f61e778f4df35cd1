import type { App } from '../app.ts';
import { insertAudit } from '../db/audit.ts';
import { endDueBlock, isBlockDue } from '../db/blocks.ts';
import type { Database } from '../db/database.ts';

/** Ends a block whose time has come, with its line in the audit log. Undefined when there is none (any more). */
export async function endBlock(
  db: Database,
  conversationId: string,
): Promise<{ handlerAlias: string } | undefined> {
  return db.sql.transaction().execute(async (transaction) => {
    const ended = await endDueBlock(transaction, conversationId);
    if (ended === undefined) return undefined;
    await insertAudit(transaction, {
      actor: 'system',
      action: 'conversation.open',
      target: conversationId,
      details: { from: 'blocked', reason: 'The block has ended' },
    });
    return ended;
  });
}

/** Messages that were turned away together wait together, so that they go on in their order. */
const asked = new WeakMap<App, Map<string, Promise<boolean>>>();

/** Whoever writes when a block should have ended does not wait for the job that ends it. True when that was so. */
export function hasBlockEnded(app: App, conversationId: string): Promise<boolean> {
  const here = asked.get(app) ?? new Map<string, Promise<boolean>>();
  asked.set(app, here);
  const asking =
    here.get(conversationId) ?? ask(app, conversationId).finally(() => here.delete(conversationId));
  here.set(conversationId, asking);
  return asking;
}

async function ask(app: App, conversationId: string): Promise<boolean> {
  if (!(await isBlockDue(app.db, conversationId))) return false;
  const ended = await endBlock(app.db, conversationId);
  if (ended !== undefined) {
    app.announce.conversationChanged({ id: conversationId, ...ended });
    app.announce.managementChanged('audit');
  }
  // The job may have been quicker: then it is open as well.
  return true;
}
