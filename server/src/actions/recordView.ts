import type { App } from '../app.ts';
import type { Staff } from '../caller.ts';
import { insertAudit } from '../db/audit.ts';
import { noteView } from '../db/conversationViews.ts';

const ACTIONS = { view: 'conversation.view', export: 'conversation.export' };

/**
 * An administrator who reads a conversation of another desk leaves a line in the audit log, whichever door it was, at
 * most once an hour; before anything is read. Handlers read what is theirs.
 */
export async function recordView(
  app: App,
  staff: Staff,
  conversationId: string,
  { what = 'view', always = false }: { what?: 'view' | 'export'; always?: boolean } = {},
): Promise<void> {
  if (staff.role !== 'admin') return;
  // Taken along, it is told even from one's own desk.
  const ownDesk = what === 'view' ? staff.alias : null;
  const { staffId } = staff;
  const told = await app.db.sql.transaction().execute(async (db) => {
    if (!(await noteView(db, { conversationId, staffId, ownDesk, what, always }))) return false;
    await insertAudit(db, { actor: staffId, action: ACTIONS[what], target: conversationId });
    return true;
  });
  if (told) app.announce.managementChanged('audit');
}
