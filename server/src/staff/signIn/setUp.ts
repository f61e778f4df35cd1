import type { App } from '../../platform/app.ts';
import { allowSetup } from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { audited } from '../../platform/db/audited.ts';
import { isSetUp, lockSetup, readInstallationId } from '../../platform/db/installation.ts';
import type { SessionOrigin } from '../../platform/ports/caller.ts';
import { setBrand } from '../../profile/setBrand.ts';
import { lockAccountShared } from '../accounts.store.ts';
import { hasValidRole } from '../callers.ts';
import { createAccount, type NewPerson } from '../people/createAccount.ts';
import { type OpenedSession, openSession, signOutStaff } from '../sessions.ts';
import { startGracePeriod } from '../staff.store.ts';
import { isSetupCode, setupCode } from './setupCode.ts';

const ACTOR = 'setup';

/**
 * Creates the first administrator of an installation and signs them in. The setup code proves access to the server's
 * output or its SECRET.
 */
export async function setUp(
  app: App,
  attempt: NewPerson & {
    code: string;
    address: string;
    origin: SessionOrigin;
    profileName?: string | undefined;
    replaces?: Buffer | undefined;
  },
): Promise<OpenedSession> {
  const { code, address, origin, profileName, replaces, ...person } = attempt;
  if (await isSetUp(app.db)) throw new Refusal('setup_done');
  await allowSetup(app, address);
  const right = setupCode(app.config, await readInstallationId(app.db));
  if (!isSetupCode(code, right)) throw new Refusal('code_invalid');

  const staffId = await createAccount(app, { ...person, role: 'admin', alias: null }, ACTOR, async (db) => {
    if (!(await lockSetup(db))) throw new Refusal('setup_done');
  });
  if (profileName !== undefined) await setBrand(app, { displayName: profileName }, ACTOR);

  await startGracePeriod(app.db, staffId);
  if (replaces !== undefined) await signOutStaff(app, replaces);
  return audited(app, ACTOR, async (db, record) => {
    const account = await lockAccountShared(db, staffId);
    if (!account?.active || !hasValidRole(account)) throw new Refusal('unavailable');
    return openSession(app, db, record, account, {
      method: 'password',
      proof: { secondFactor: false, recent: true },
      origin,
    });
  });
}
