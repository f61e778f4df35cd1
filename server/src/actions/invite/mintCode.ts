import type { App } from '../../app.ts';
import { currentCode, nextCode } from '../../auth/continueCode.ts';
import { touchConversation } from '../../db/conversation/devices.ts';
import type { Database } from '../../db/engine/database.ts';
import { lockInvite, readCode, setCode } from '../../db/invite/invites.ts';

type Configured = Pick<App, 'config'>;
type Queries = Database['sql'];

/**
 * A new code with a clean record; the one before it stops working. The conversation's revision moves, so that the first
 * device sees the new code. To be called in a transaction. Answers what to announce after the commit.
 */
export async function mintCode(app: Configured, db: Queries, inviteId: string) {
  await lockInvite(db, inviteId);
  const { code, ...stored } = nextCode(app, inviteId, await readCode(db, inviteId));
  await setCode(db, inviteId, stored);
  return { code, conversation: await touchConversation(db, inviteId) };
}

/** The code that works now, without making a new one; null when it is locked, void or unknown. */
export async function workingCode(app: Configured, db: Queries, inviteId: string): Promise<string | null> {
  const { codeHash, codeNumber, locked, void: isVoid } = await readCode(db, inviteId);
  return locked || isVoid || codeHash === null ? null : currentCode(app, inviteId, { codeHash, codeNumber });
}
