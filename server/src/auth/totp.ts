import { generateSecret, generateURI, verifySync } from 'otplib';
import type { App } from '../app.ts';
import { keyFor, keysFor } from './keys.ts';
import { seal, unseal } from './sealed.ts';

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
  return seal(app, keyFor(app.config, 'totp secret'), staffId, secret);
}

/** Undefined when it was sealed for another account, or under another SECRET. */
export function openTotpSecret(
  app: { config: Parameters<typeof keysFor>[0] },
  staffId: string,
  stored: Buffer,
): string | undefined {
  return unseal(keysFor(app.config, 'totp secret'), staffId, stored);
}
