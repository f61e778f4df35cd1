import type {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '@settee/protocol/model/passkey';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { Api } from '../../net/api.ts';

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

/**
 * The whole way: asked for, made by the browser, kept by the server. One that is there already is as good: the answer to
 * it was lost, or somebody adds the same device again.
 */
export async function addPasskey(
  ask: Api,
  name: string,
): Promise<{ recoveryCodes: string[] | null } | { error: string }> {
  if (!hasPasskeys()) return { error: accountTexts.passkeyUnsupported };
  const begun = await ask('beginPasskey', {});
  if (!begun.ok) return { error: begun.text };
  const response = await makePasskey(begun.answer.options);
  if (response === undefined) return { error: accountTexts.passkeyFailed };
  if (response === 'known') return { recoveryCodes: null };
  const added = await ask('addPasskey', { body: { ticket: begun.answer.ticket, name, response } });
  return added.ok ? { recoveryCodes: added.answer.recoveryCodes } : { error: added.text };
}

/** What a person would call a passkey of this machine. */
export function deviceName(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform?: string } };
  return userAgentData?.platform || accountTexts.passkeyDefault;
}
