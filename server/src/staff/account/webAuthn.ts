import type {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '@settee/protocol/model/passkey';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { App } from '../../platform/app.ts';
import type { PasskeyRow } from '../passkeys.store.ts';

type Deps = Pick<App, 'config'>;
type Existing = Pick<PasskeyRow, 'credentialId' | 'transports'>;

/** Loaded for the first passkey: with its parsers of certificates it takes an eighth of the start of a gateway. */
const library = () => import('@simplewebauthn/server');

const TIMEOUT_MS = 60_000;
const KNOWN_TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** The browser binds passkeys to the host of PUBLIC_URL; we also check the origin. */
function relyingParty({ config }: Deps): { rpID: string; origin: string } {
  return { rpID: new URL(config.publicUrl).hostname, origin: config.publicUrl };
}

export async function passkeyCreationOptions(
  app: Deps,
  account: { id: string; email: string; name: string },
  existing: Existing[],
): Promise<PasskeyCreation> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Settee',
    rpID: relyingParty(app).rpID,
    userID: new Uint8Array(Buffer.from(account.id.replaceAll('-', ''), 'hex')),
    userName: account.email,
    userDisplayName: account.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return options as PasskeyCreation;
}

/** What to store of the new passkey; undefined when it does not answer this challenge for this origin. */
export async function verifyPasskeyCreation(
  app: Deps,
  response: MadePasskey,
  challenge: string,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { rpID, origin } = relyingParty(app);
  const { verifyRegistrationResponse } = await library();
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

export async function passkeyRequestOptions(app: Deps, existing: Existing[]): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(app).rpID,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: existing.map(descriptor),
  });
  return options as PasskeyRequest;
}

/** The passkey's new use counter; undefined when it does not answer this challenge for this origin. */
export async function verifyPasskeyRequest(
  app: Deps,
  passkey: PasskeyRow,
  response: ShownPasskey,
  challenge: string,
): Promise<number | undefined> {
  const { rpID, origin } = relyingParty(app);
  const { credentialId: id, counter, transports } = passkey;
  const { verifyAuthenticationResponse } = await library();
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

function descriptor({ credentialId, transports }: Existing) {
  return { id: credentialId, transports };
}
