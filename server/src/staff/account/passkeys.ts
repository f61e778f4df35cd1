import type { MadePasskey, PasskeyCreation } from '@settee/protocol/model/passkey';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { audited } from '../../platform/db/audited.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import { insertPasskey, listPasskeys, renamePasskeyRow } from '../passkeys.store.ts';
import { signTicket } from '../tickets.ts';
import { onFactorAdded, redeemTicket, requireOwnAccount, requireTicket } from './factorRules.ts';
import { passkeyCreationOptions, verifyPasskeyCreation } from './webAuthn.ts';

const PASSKEYS_MAX = 20;

export async function beginPasskey(
  app: App,
  staff: Staff,
): Promise<{ options: PasskeyCreation; ticket: string }> {
  const { account, factors } = await app.db.transaction((db) => requireOwnAccount(db, staff));
  if (factors.passkeys >= PASSKEYS_MAX) throw new Refusal('bad_request', accountTexts.passkeysEnough);
  const options = await passkeyCreationOptions(app, account, await listPasskeys(app.db, staff.staffId));
  return { options, ticket: await signTicket(app, 'passkey', account, options.challenge) };
}

/** Adds the passkey. Returns recovery codes with the first factor. */
export async function addPasskey(
  app: App,
  staff: Staff,
  given: { ticket: string; name: string; response: MadePasskey },
): Promise<string[] | null> {
  const { staffId } = staff;
  const { name } = given;
  const ticket = await requireTicket(app, 'passkey', given.ticket);
  const made = await verifyPasskeyCreation(app, given.response, ticket.memo);
  if (made === undefined) throw new Refusal('bad_request', accountTexts.passkeyRefused);
  return audited(app, staff, async (db, record) => {
    const { account, factors } = await requireOwnAccount(db, staff);
    if (factors.passkeys >= PASSKEYS_MAX) throw new Refusal('bad_request', accountTexts.passkeysEnough);
    await redeemTicket(app, db, ticket, account);
    if (!(await insertPasskey(db, { ...made, staffId, name }))) {
      throw new Refusal('bad_request', accountTexts.passkeyRefused);
    }
    const fresh = await onFactorAdded(app, db, staff, factors);
    record('factor.add', staffId, { method: 'passkey', name });
    return fresh;
  });
}

export async function renamePasskey(
  app: App,
  { staffId }: Staff,
  passkey: { id: string; name: string },
): Promise<void> {
  await audited(app, staffId, async (db, record) => {
    if (!(await renamePasskeyRow(db, { ...passkey, staffId }))) {
      throw new Refusal('not_found', accountTexts.passkeyGone);
    }
    record('factor.rename', staffId, { method: 'passkey', name: passkey.name });
  });
}
