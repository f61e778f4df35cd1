import { type Access, accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import type { Caller, Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { recordExportStart, recordNewViews } from '../../db/conversation/conversationViews.ts';

/** What a door asks for through which a conversation's words, notes or images are read. */
export async function accessToRead(app: App, caller: Caller, conversationId: string): Promise<Access> {
  const access = await accessTo(app, caller, conversationId);
  await recordViews(app, caller, [conversationId]);
  return access;
}

/**
 * An administrator who opens conversations of another desk leaves a line for each in the audit log, whichever door it
 * was, at most once an hour; before anything is shown. Handlers read what is theirs. The beginnings of last messages in
 * the lists leave none: a line for every row that somebody scrolls past would hide those that matter.
 */
export async function recordViews(app: App, caller: Caller, conversationIds: string[]): Promise<void> {
  if (caller.kind !== 'staff' || caller.role !== 'admin' || conversationIds.length === 0) return;
  const { staffId, alias: ownDesk } = caller;
  const told = await app.db.sql.transaction().execute(async (db) => {
    const targets = await recordNewViews(db, { conversationIds, staffId, ownDesk });
    for (const target of targets)
      await insertAudit(db, { actor: staffId, action: 'conversation.view', target });
    return targets.length > 0;
  });
  if (told) app.announce.managementChanged('audit');
}

/** Taken along, it is told even from one's own desk, and every time. */
export async function recordExport(
  app: App,
  { staffId }: Staff,
  conversationId: string,
  after: number,
): Promise<void> {
  const told = await app.db.sql.transaction().execute(async (db) => {
    if (!(await recordExportStart(db, { conversationId, staffId, after }))) return false;
    await insertAudit(db, { actor: staffId, action: 'conversation.export', target: conversationId });
    return true;
  });
  if (told) app.announce.managementChanged('audit');
}
