import { createCipheriv, createDecipheriv } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { App } from '../app.ts';
import { keyFor } from './keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A clock that is one step off, either way, still gets in. */
const DRIFT_SECONDS = 30;

/** A secret for an authenticator app, and the address that its QR code holds. */
export function newTotp(app: Pick<App, 'config'>, email: string): { secret: string; uri: string } {
  const secret = generateSecret();
  // One person may have accounts at several installations: the app tells them apart by the host.
  const issuer = `Settee ${new URL(app.config.publicUrl).hostname}`;
  return { secret, uri: generateURI({ issuer, label: email, secret }) };
}

/** The 30 s step that this is the code of, if it is one near now. */
export function totpStep(app: Pick<App, 'clock'>, secret: string, code: string): number | undefined {
  const epoch = Math.floor(app.clock.now() / 1_000);
  const checked = verifySync({ secret, token: code, epoch, epochTolerance: DRIFT_SECONDS });
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined;
}

/** As the table keeps it: who has the database alone can make no codes, nor move a secret to another account. */
export function sealTotpSecret(app: Pick<App, 'config' | 'random'>, staffId: string, secret: string): Buffer {
  const nonce = app.random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(app.config, 'totp secret'), nonce).setAAD(
    Buffer.from(staffId),
  );
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when it was sealed for another account, or under another SECRET. */
export function openTotpSecret(
  app: Pick<App, 'config'>,
  staffId: string,
  stored: Buffer,
): string | undefined {
  const nonce = stored.subarray(0, NONCE_BYTES);
  const tag = stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyFor(app.config, 'totp secret'), nonce, {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(staffId))
      .setAuthTag(tag);
    return (
      decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}
