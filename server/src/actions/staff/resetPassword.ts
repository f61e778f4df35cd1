import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import type { App } from '../../app.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import type { Inside } from '../../db/engine/database.ts';
import { setPassword } from '../../db/staff/accounts.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { findAccount } from '../../db/staff/staff.ts';
import type { Announce } from '../../ports.ts';
import { newPasswordLink, type PasswordLink } from './passwordLink.ts';
import {
  type Actor,
  actorId,
  demandFresh,
  demandNotOneself,
  demandOtherAdmin,
  lockPerson,
  noSuchPerson,
} from './peopleRules.ts';

type Parts = Pick<App, 'config' | 'db' | 'random'> & { announce: Pick<Announce, 'accessChanged'> };

/** The password they have is void from now on and they are signed out; the link is the only way back in. */
export async function resetPassword(app: Parts, actor: Actor, id: string): Promise<PasswordLink> {
  // The page that would show the link ends with the session.
  demandNotOneself(actor, id);
  const link = await app.db.sql.transaction().execute((db) => reset(app, db, actor, id));
  await clearFactorFailures(app, id);
  app.announce.accessChanged();
  return link;
}

/** For an operator, who knows people by their address. */
export async function resetPasswordByEmail(app: Parts, actor: string, email: string): Promise<PasswordLink> {
  const person = await findAccount(app.db.sql, email);
  if (person === undefined) throw noSuchPerson();
  return resetPassword(app, actor, person.id);
}

async function reset(app: Parts, db: Inside, actor: Actor, id: string): Promise<PasswordLink> {
  const person = await lockPerson(db, actor, id);
  if (!person.active) throw new Refusal('bad_request', peopleTexts.linkForDeactivated);
  if (person.role === 'admin') await demandFresh(db, actor);
  // From the command line there is always a way back.
  if (typeof actor !== 'string') await demandOtherAdmin(db, person);
  await setPassword(db, id, null);
  await endSessionsOf(db, id);
  const link = await newPasswordLink(app, db, id);
  await insertAudit(db, { actor: actorId(actor), action: 'staff.passwordLink', target: id });
  return link;
}
