import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { Api } from '../../net/api.ts';
import { hasPasskeys, makePasskey } from './passkeys.ts';

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
