import { beginTotp, confirmTotp, removeFactor, renewRecoveryCodes } from '../actions/staff/factors.ts';
import { changePassword, confirmPassword, readAccount } from '../actions/staff/ownAccount.ts';
import { addPasskey, beginPasskey, renamePasskey } from '../actions/staff/passkeys.ts';
import { signOutElsewhere } from '../actions/staff/sessions.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { idParam, type Routes } from './route.ts';

export function accountRoutes(app: App) {
  return {
    readAccount: async ({ caller }) => ({ account: await readAccount(app, caller) }),
    confirmPassword: ({ caller, body }) => confirmPassword(app, caller, body.password),
    changePassword: ({ caller, body }) => changePassword(app, caller, body),
    signOutElsewhere: async ({ caller }) => ({ ended: await signOutElsewhere(app, caller) }),
    beginTotp: ({ caller }) => beginTotp(app, caller),
    confirmTotp: async ({ caller, body }) => ({ recoveryCodes: await confirmTotp(app, caller, body) }),
    removeTotp: ({ caller }) => removeFactor(app, caller, { method: 'totp' }),
    beginPasskey: ({ caller }) => beginPasskey(app, caller),
    addPasskey: async ({ caller, body }) => ({ recoveryCodes: await addPasskey(app, caller, body) }),
    renamePasskey: ({ caller, body, params }) =>
      renamePasskey(app, caller, { ...body, id: passkeyId(params) }),
    removePasskey: ({ caller, params }) =>
      removeFactor(app, caller, { method: 'passkey', id: passkeyId(params) }),
    renewRecoveryCodes: async ({ caller }) => ({ recoveryCodes: await renewRecoveryCodes(app, caller) }),
  } satisfies Partial<Routes>;
}

function passkeyId(params: Record<string, string>): string {
  return idParam(params, 'id', () => new Refusal('bad_request'));
}
