import type {
  MadePasskey,
  PasskeyCreation,
  PasskeyRequest,
  ShownPasskey,
} from '@settee/protocol/model/passkey';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { Api, Failure } from '../../net/api.ts';

/** Loads the WebAuthn script early, because some browsers require a recent user action. */
export function preparePasskeys(): void {
  // Later calls try again.
  loadPasskeys().catch(() => undefined);
}

function loadPasskeys() {
  return import('@simplewebauthn/browser');
}

/** Undefined if cancelled or failed. */
export function showPasskey(request: PasskeyRequest): Promise<ShownPasskey | undefined> {
  return orNothing(
    loadPasskeys().then(({ startAuthentication }) => startAuthentication({ optionsJSON: request as never })),
  );
}

/** `known`: the device already has a passkey of this account. */
function makePasskey(options: PasskeyCreation): Promise<MadePasskey | 'known' | undefined> {
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
    // The script failed to load, or the user cancelled, or time ran out. Browsers do not report which.
    console.warn('passkey:', error);
    return undefined;
  }
}

/** An existing passkey counts as success: an answer was lost, or the device is added again. */
export async function addPasskey(
  ask: Api,
  name: string,
): Promise<string | Failure | { ok: true; answer: { recoveryCodes: string[] | null } }> {
  if (!hasPasskeys()) return accountTexts.passkeyUnsupported;
  const begun = await ask('beginPasskey', {});
  if (!begun.ok) return begun;
  const response = await makePasskey(begun.answer.options);
  if (response === undefined) return accountTexts.passkeyFailed;
  if (response === 'known') return { ok: true, answer: { recoveryCodes: null } };
  return ask('addPasskey', { body: { ticket: begun.answer.ticket, name, response } });
}

export function deviceName(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform?: string } };
  return userAgentData?.platform || accountTexts.passkeyDefault;
}
