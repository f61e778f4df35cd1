import type { MadePasskey, PasskeyCreation, PasskeyRequest, ShownPasskey } from '@settee/protocol/passkey';

/** The browser's part of WebAuthn, fetched when somebody needs it; ask before the press, some want it soon after. */
export function loadPasskeys() {
  return import('@simplewebauthn/browser');
}

/** Undefined when the person or the device did not do it. */
export async function showPasskey(request: PasskeyRequest): Promise<ShownPasskey | undefined> {
  const { startAuthentication } = await loadPasskeys();
  return orNothing(startAuthentication({ optionsJSON: request as never }) as Promise<unknown>);
}

/** `known`: this device holds one of the account's passkeys already. */
export async function makePasskey(options: PasskeyCreation): Promise<MadePasskey | 'known' | undefined> {
  const { startRegistration } = await loadPasskeys();
  const made = startRegistration({ optionsJSON: options as never }) as Promise<unknown>;
  return orNothing(made.catch(knownOr));
}

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

function knownOr(error: unknown): 'known' {
  if (error instanceof Error && error.name === 'InvalidStateError') return 'known';
  throw error;
}

async function orNothing<T>(ceremony: Promise<unknown>): Promise<T | undefined> {
  try {
    return (await ceremony) as T;
  } catch (error) {
    // Said no, or waited too long; browsers tell the two apart for nobody.
    console.warn('passkey:', error);
    return undefined;
  }
}
