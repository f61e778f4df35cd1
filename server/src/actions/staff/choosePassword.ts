import { passwordProblem } from '@settee/protocol/model/person';
import type { App } from '../../app.ts';
import { hashLinkToken } from '../../auth/linkToken.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { lockAccount, setPassword } from '../../db/staff/accounts.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { findPasswordLink, takePasswordLink } from '../../db/staff/passwordLinks.ts';

type Linked = { tokenHash: Buffer; staffId: string; name: string; email: string };

/** For whom a link is. Unknown, used, replaced, ended, or of somebody who was deactivated: one answer. */
export async function openPasswordLink(app: Pick<App, 'db'>, token: string): Promise<Linked> {
  const tokenHash = hashLinkToken(token);
  const found = tokenHash && (await findPasswordLink(app.db.sql, tokenHash));
  if (!found) throw new Refusal('link_void');
  return { tokenHash, ...found };
}

/** The person's own choice. A password that is refused does not use the link up. */
export async function choosePassword(
  app: Pick<App, 'config' | 'db' | 'announce'>,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { tokenHash, staffId, name, email } = await openPasswordLink(app, token);
  const problem = passwordProblem(password, { name, email });
  if (problem !== undefined) throw new Refusal('bad_request', problem);
  const passwordHash = await hashPassword(password);
  await app.db.sql.transaction().execute(async (db) => {
    // Before the link, as whoever resets or deactivates does: in the other order each would wait for the other.
    const account = await lockAccount(db, staffId);
    if (!account?.active) throw new Refusal('link_void');
    if (!(await takePasswordLink(db, tokenHash))) throw new Refusal('link_void');
    await setPassword(db, staffId, passwordHash);
    await endSessionsOf(db, staffId);
    await insertAudit(db, { actor: staffId, action: 'staff.password', target: staffId });
  });
  await clearFactorFailures(app, staffId);
  app.announce.accessChanged();
}
