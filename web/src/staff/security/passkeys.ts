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

export async function makePasskey(options: PasskeyCreation): Promise<MadePasskey | undefined> {
  const { startRegistration } = await loadPasskeys();
  return orNothing(startRegistration({ optionsJSON: options as never }) as Promise<unknown>);
}

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
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
