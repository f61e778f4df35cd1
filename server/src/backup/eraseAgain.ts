import { insertAudit } from '../db/audit/audit.ts';
import { eraseRows } from '../db/conversation/erasure.ts';
import type { Database } from '../db/engine/database.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What was erased after the backup would be there again: whoever kept the ids (the audit log has them) gives them here. */
export async function eraseAgain(db: Database, ids: readonly string[]): Promise<number> {
  let erased = 0;
  for (const id of ids) {
    const gone = await db.sql.transaction().execute(async (step) => {
      if ((await eraseRows(step, id, 'staff')) === undefined) return false;
      const details = { again: true };
      await insertAudit(step, { actor: 'cli', action: 'conversation.erase', target: id, details });
      return true;
    });
    if (gone) erased += 1;
  }
  return erased;
}

export function idsIn(text: string): string[] {
  const ids = text.split(/\s+/).filter((word) => word !== '');
  const wrong = ids.find((id) => !ID.test(id));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no conversation's id`);
  return ids;
}
