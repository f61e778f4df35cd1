import type {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '@settee/protocol/model/passkey';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { App } from '../app.ts';
import type { PasskeyRow } from '../db/staff/passkeys.ts';

type Needs = Pick<App, 'config'>;
type Known = Pick<PasskeyRow, 'credentialId' | 'transports'>;

const TIMEOUT_MS = 60_000;
const KNOWN_TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Passkeys are bound to the host of PUBLIC_URL by the browser, and to its origin by us. */
function party({ config }: Needs): { rpID: string; origin: string } {
  return { rpID: new URL(config.publicUrl).hostname, origin: config.publicUrl };
}

export async function askToMake(
  app: Needs,
  account: { id: string; email: string; name: string },
  known: Known[],
): Promise<PasskeyCreation> {
  const options = await generateRegistrationOptions({
    rpName: 'Settee',
    rpID: party(app).rpID,
    userID: new Uint8Array(Buffer.from(account.id.replaceAll('-', ''), 'hex')),
    userName: account.email,
    userDisplayName: account.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return options as PasskeyCreation;
}

/** What to keep of the passkey that was made; undefined when it does not answer this challenge, here. */
export async function checkMade(
  app: Needs,
  response: MadePasskey,
  challenge: string,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { rpID, origin } = party(app);
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports.filter((transport) => KNOWN_TRANSPORTS.has(transport)),
  };
}

export async function askToShow(app: Needs, known: Known[]): Promise<PasskeyRequest> {
  const options = await generateAuthenticationOptions({
    rpID: party(app).rpID,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: known.map(descriptor),
  });
  return options as PasskeyRequest;
}

/** How often the passkey says it was used by now; undefined when it did not answer this challenge, here. */
export async function checkShown(
  app: Needs,
  passkey: PasskeyRow,
  response: ShownPasskey,
  challenge: string,
): Promise<number | undefined> {
  const { rpID, origin } = party(app);
  const { credentialId: id, counter, transports } = passkey;
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id, counter, transports, publicKey: new Uint8Array(passkey.publicKey) },
    requireUserVerification: false,
  }).catch(() => undefined);
  return checked?.verified ? checked.authenticationInfo.newCounter : undefined;
}

function descriptor({ credentialId, transports }: Known) {
  return { id: credentialId, transports };
}
