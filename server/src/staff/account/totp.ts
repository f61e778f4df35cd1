import { generateSecret, generateURI, verifySync } from 'otplib';
import type { App } from '../../platform/app.ts';
import { decrypt, encrypt } from '../../platform/auth/encryption.ts';
import { keyFor, keysFor } from '../../platform/config/keys.ts';

/** Accepts a clock that is one step off. */
const DRIFT_SECONDS = 30;

/** A secret for an authenticator app, and the URI for its QR code. */
export function newTotp(app: Pick<App, 'config'>, email: string): { secret: string; uri: string } {
  const secret = generateSecret();
  // The host tells accounts at several installations apart in the app.
  const issuer = `Settee ${new URL(app.config.publicUrl).hostname}`;
  return { secret, uri: generateURI({ issuer, label: email, secret }) };
}

/** The 30-second step that the code belongs to; undefined when it is not valid now. */
export function totpStep(app: Pick<App, 'clock'>, secret: string, code: string): number | undefined {
  const epoch = Math.floor(app.clock.now() / 1_000);
  const checked = verifySync({ secret, token: code, epoch, epochTolerance: DRIFT_SECONDS });
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined;
}

/** Encrypted for storage: the database alone is not enough to make codes or to move a secret to another account. */
export function encryptTotpSecret(
  app: Pick<App, 'config' | 'random'>,
  staffId: string,
  secret: string,
): Buffer {
  return encrypt(app, keyFor(app.config, 'totp secret'), staffId, secret);
}

/** Undefined when it was encrypted for another account or with another SECRET. */
export function decryptTotpSecret(
  app: { config: Parameters<typeof keysFor>[0] },
  staffId: string,
  stored: Buffer,
): string | undefined {
  return decrypt(keysFor(app.config, 'totp secret'), staffId, stored);
}
