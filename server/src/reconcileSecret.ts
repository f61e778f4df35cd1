import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { decryptAddress, encryptAddress } from './mail/mailSecrets.ts';
import { dropAllVisitorMails, listSealedMails, resealMail } from './mail/visitorMails.store.ts';
import type { App } from './platform/app.ts';
import { decrypt, encrypt } from './platform/auth/encryption.ts';
import { HASH_PURPOSES, keyFor, keysFor } from './platform/config/keys.ts';
import { audited } from './platform/db/audited.ts';
import { lockSecret, putSecret } from './platform/db/installation.ts';
import { decryptTotpSecret, encryptTotpSecret } from './staff/account/totp.ts';
import { deleteSealedFactors, listTotpSecrets, resealTotp } from './staff/secondFactors.store.ts';
import { listSealedSecrets, pauseWebhooks, resealSecrets } from './webhooks/webhookEndpoints.store.ts';
import { openWebhookSecret, sealWebhookSecret } from './webhooks/webhookSecrets.ts';

type Needs = Pick<App, 'config' | 'db' | 'random'>;
type HashPurpose = (typeof HASH_PURPOSES)[number];
/** The keys of one earlier secret, in base64. */
type KeySet = Partial<Record<HashPurpose, string>>;

/** Number of earlier secrets whose recovery codes still work. */
const KEPT_MAX = 10;

/** Identifies a secret for one database without revealing it. */
export function secretFingerprint(secret: string, installationId: string): Buffer {
  return createHmac('sha256', keyFor({ secret }, 'secret check')).update(installationId).digest();
}

/**
 * Runs at every gateway start. Compares SECRET with the one used before, and completes a change: reseals stored
 * authenticator secrets and keeps the old hash keys, sealed. Returns 'unknown' and changes nothing if SECRET is
 * different and SECRET_PREVIOUS does not match.
 */
export async function reconcileSecret(app: Needs): Promise<'settled' | 'changed' | 'unknown'> {
  const { config } = app;
  const { secret, secretPrevious } = config;
  return audited(app, 'gateway', async (db, record) => {
    const { id, mark, olderKeys } = await lockSecret(db);
    const isOf = (given: string) => mark?.equals(secretFingerprint(given, id)) === true;
    const changed = !isOf(secret) && secretPrevious !== undefined && isOf(secretPrevious);
    if (mark !== null && !isOf(secret) && !changed) return 'unknown';
    const opened = olderKeys && decrypt(keysFor(config, 'older keys'), id, olderKeys);
    const sets = opened ? (JSON.parse(opened) as KeySet[]) : [];
    if (changed) sets.unshift(keySetOf(secretPrevious));
    if (changed || mark === null) {
      const sealed = encrypt(app, keyFor(config, 'older keys'), id, JSON.stringify(sets.slice(0, KEPT_MAX)));
      await putSecret(db, { mark: secretFingerprint(secret, id), olderKeys: sealed });
    }
    if (secretPrevious !== undefined) await resealAll(app, db);
    config.olderKeys = Object.fromEntries(
      HASH_PURPOSES.map((purpose) => [
        purpose,
        sets.flatMap((set) => (set[purpose] === undefined ? [] : [keyOf(set[purpose])])),
      ]),
    );
    if (changed) record('installation.secret', 'installation');
    return changed ? 'changed' : 'settled';
  });
}

/** Accepts a new SECRET when the old one is lost, and removes what only the old one could open. */
export async function acceptSecret(app: Needs, actor: string): Promise<void> {
  await audited(app, actor, async (db, record) => {
    const { id } = await lockSecret(db);
    await putSecret(db, { mark: secretFingerprint(app.config.secret, id), olderKeys: null });
    await deleteSealedFactors(db);
    await pauseWebhooks(db);
    await dropAllVisitorMails(db);
    record('installation.secret', 'installation', { lost: true });
  });
}

/** Includes secrets that a gateway stored with the old SECRET meanwhile. */
async function resealAll(app: Needs, db: Parameters<typeof listTotpSecrets>[0]): Promise<void> {
  const totp = resealWith(app, decryptTotpSecret, encryptTotpSecret);
  for (const { staffId, secret } of await listTotpSecrets(db)) {
    const sealed = totp(staffId, secret);
    if (sealed !== secret) await resealTotp(db, staffId, sealed);
  }
  const webhook = resealWith(app, openWebhookSecret, sealWebhookSecret);
  for (const { id, secret, previousSecret } of await listSealedSecrets(db)) {
    const sealed = { id, secret: webhook(id, secret), previousSecret: webhook(id, previousSecret) };
    if (sealed.secret !== secret || sealed.previousSecret !== previousSecret) await resealSecrets(db, sealed);
  }
  const mail = resealWith(app, decryptAddress, encryptAddress);
  for (const { conversationId: id, address, pending } of await listSealedMails(db)) {
    const sealed = { conversationId: id, address: mail(id, address), pending: mail(id, pending) };
    if (sealed.address !== address || sealed.pending !== pending) await resealMail(db, sealed);
  }
}

type Open = (
  app: { config: Parameters<typeof keysFor>[0] },
  owner: string,
  stored: Buffer,
) => string | undefined;
type Seal = (app: Needs, owner: string, opened: string) => Buffer;

/** Returns what it got, unless only the old SECRET opens it. */
function resealWith(app: Needs, open: Open, seal: Seal) {
  const now = { config: { secret: app.config.secret } };
  return <S extends Buffer | null>(owner: string, stored: S): S | Buffer => {
    if (stored === null || open(now, owner, stored) !== undefined) return stored;
    const opened = open(app, owner, stored);
    return opened === undefined ? stored : seal(app, owner, opened);
  };
}

function keySetOf(secret: string): KeySet {
  return Object.fromEntries(
    HASH_PURPOSES.map((purpose) => [purpose, keyFor({ secret }, purpose).export().toString('base64')]),
  ) as KeySet;
}

function keyOf(base64: string): KeyObject {
  return createSecretKey(Buffer.from(base64, 'base64'));
}
