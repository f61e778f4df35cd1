import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import { isMailAddress } from '@settee/protocol/model/mail';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { enqueueMail } from '../../mail/mailJobs.store.ts';
import { sealContent } from '../../mail/mailSecrets.ts';
import type { App } from '../../platform/app.ts';
import { hashLinkToken, newLinkToken } from '../../platform/auth/linkToken.ts';
import { clearFactorFailures } from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { cellPage } from '../../platform/config/config.ts';
import { type Audited, audited, type RecordEntry } from '../../platform/db/audited.ts';
import type { DbTransaction } from '../../platform/db/database.ts';
import { lockAccount, setPassword } from '../accounts.store.ts';
import { requireGoodPassword } from '../commonPasswords.ts';
import { endSessionsOf } from '../ownSessions.store.ts';
import { findPasswordLink, replacePasswordLink, takePasswordLink } from '../passwordLinks.store.ts';
import { hashPassword } from '../passwords.ts';
import { findAccount } from '../staff.store.ts';
import {
  type Actor,
  noSuchPerson,
  requireOtherAdmin,
  requireOtherPerson,
  requirePerson,
  requireRecentProof,
} from './peopleRules.ts';

/** `linkSent`: it is also on its way to the person by e-mail. */
export type PasswordLink = { link: string; linkExpiresAt: number; linkSent: boolean };

/** The token is in the URL fragment, which browsers never send: it reaches no log and no other site. */
export async function newPasswordLink(
  app: Pick<App, 'config' | 'random'>,
  db: DbTransaction,
  { id: staffId, email }: { id: string; email: string },
): Promise<PasswordLink> {
  const { token, tokenHash } = newLinkToken(app);
  const expiresAt = await replacePasswordLink(db, { staffId, tokenHash, hours: PASSWORD_LINK_HOURS });
  const link = `${cellPage(app.config, '/handler/password')}#${token}`;
  const linkSent = app.config.mail !== undefined && isMailAddress(email);
  if (linkSent)
    await enqueueMail(db, { kind: 'passwordLink', staffId, sealed: sealContent(app, staffId, link) });
  return { link, linkExpiresAt: expiresAt.getTime(), linkSent };
}

type Parts = Audited & Pick<App, 'config' | 'random'>;

/** Voids the password and ends all sessions. Only the new link gives access again. */
export async function resetPassword(app: Parts, actor: Actor, id: string): Promise<PasswordLink> {
  // The page that shows the link would lose its session.
  requireOtherPerson(actor, id);
  const link = await audited(app, actor, (db, record) => reset(app, db, record, actor, id));
  await clearFactorFailures(app, id);
  return link;
}

/** For operators, who know the e-mail address. */
export async function resetPasswordByEmail(app: Parts, actor: string, email: string): Promise<PasswordLink> {
  const person = await findAccount(app.db, email);
  if (person === undefined) throw noSuchPerson();
  return resetPassword(app, actor, person.id);
}

async function reset(
  app: Parts,
  db: DbTransaction,
  record: RecordEntry,
  actor: Actor,
  id: string,
): Promise<PasswordLink> {
  const person = await requirePerson(db, actor, id);
  if (!person.active) throw new Refusal('bad_request', peopleTexts.linkForDeactivated);
  await requireRecentProof(db, actor);
  // The command line can always recover an account.
  if (typeof actor !== 'string') await requireOtherAdmin(db, person);
  await setPassword(db, id, null);
  await endSessionsOf(db, id);
  const link = await newPasswordLink(app, db, person);
  record('staff.passwordLink', id);
  return link;
}

type Linked = { tokenHash: Buffer; staffId: string; name: string; email: string };

/** The person a link belongs to. Unknown, used, replaced, expired and deactivated give the same answer. */
export async function openPasswordLink(app: App, token: string): Promise<Linked> {
  const tokenHash = hashLinkToken(token);
  const found = tokenHash && (await findPasswordLink(app.db, tokenHash));
  if (!found) throw new Refusal('link_void');
  return { tokenHash, ...found };
}

/** Sets the chosen password and returns the account's address. A refused password does not use up the link. */
export async function choosePassword(
  app: App,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { tokenHash, staffId, name, email } = await openPasswordLink(app, token);
  requireGoodPassword(password, { name, email });
  const passwordHash = await hashPassword(password);
  await audited(app, staffId, async (db, record) => {
    // Lock the account before the link, in the same order as a reset or deactivation: otherwise there is a deadlock.
    const account = await lockAccount(db, staffId);
    if (!account?.active) throw new Refusal('link_void');
    if (!(await takePasswordLink(db, tokenHash))) throw new Refusal('link_void');
    await setPassword(db, staffId, passwordHash);
    await endSessionsOf(db, staffId);
    record('staff.password', staffId);
  });
  await clearFactorFailures(app, staffId);
  return email;
}
