import type {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '@settee/protocol/model/passkey';

/** The browser's part of WebAuthn, fetched when somebody needs it; ask before the press, some want it soon after. */
export function preparePasskeys(): void {
  // Who needs it asks again.
  loadPasskeys().catch(() => undefined);
}

function loadPasskeys() {
  return import('@simplewebauthn/browser');
}

/** Undefined when the person or the device did not do it. */
export function showPasskey(request: PasskeyRequest): Promise<ShownPasskey | undefined> {
  return orNothing(
    loadPasskeys().then(({ startAuthentication }) => startAuthentication({ optionsJSON: request as never })),
  );
}

/** `known`: this device holds one of the account's passkeys already. */
export function makePasskey(options: PasskeyCreation): Promise<MadePasskey | 'known' | undefined> {
  return orNothing(
    loadPasskeys()
      .then(
        ({ startRegistration }) => startRegistration({ optionsJSON: options as never }) as Promise<unknown>,
      )
      .catch(knownOr),
  );
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
    // The script did not come, or they said no, or waited too long; browsers tell the two apart for nobody.
    console.warn('passkey:', error);
    return undefined;
  }
}
