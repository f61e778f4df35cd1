import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { idParam, type Routes } from '../../platform/http/route.ts';
import { signOutElsewhere, signOutSession } from '../sessions.ts';
import { setStaffCookie } from '../staffCookie.ts';
import { beginTotp, confirmTotp, removeFactor, renewRecoveryCodes } from './factors.ts';
import {
  changePassword,
  confirmPassword,
  readAccount,
  saveLanguage,
  saveWaitingMail,
  setAvailability,
  setDeskOff,
} from './ownAccount.ts';
import { addPasskey, beginPasskey, renamePasskey } from './passkeys.ts';

export function accountRoutes(app: App) {
  return {
    readAccount: async ({ caller }) => ({ account: await readAccount(app, caller) }),
    confirmPassword: async ({ caller, body, reply }) =>
      setStaffCookie(app, reply, await confirmPassword(app, caller, body.password)),
    changePassword: async ({ caller, body, reply }) =>
      setStaffCookie(app, reply, await changePassword(app, caller, body)),
    saveLanguage: ({ caller, body }) => saveLanguage(app, caller, body.language),
    saveWaitingMail: ({ caller, body }) => saveWaitingMail(app, caller, body.on),
    async setAvailability({ caller, body: { away } }) {
      await setAvailability(app, caller, away);
      return { away };
    },
    async setDeskOff({ caller, params: { alias }, body: { off } }) {
      await setDeskOff(app, caller, { alias, off });
      return { off };
    },
    endSession: ({ caller, params }) => signOutSession(app, caller, accountId(params)),
    signOutElsewhere: async ({ caller }) => ({ ended: await signOutElsewhere(app, caller) }),
    beginTotp: ({ caller }) => beginTotp(app, caller),
    confirmTotp: async ({ caller, body }) => ({ recoveryCodes: await confirmTotp(app, caller, body) }),
    removeTotp: ({ caller }) => removeFactor(app, caller, { method: 'totp' }),
    beginPasskey: ({ caller }) => beginPasskey(app, caller),
    addPasskey: async ({ caller, body }) => ({ recoveryCodes: await addPasskey(app, caller, body) }),
    renamePasskey: ({ caller, body, params }) =>
      renamePasskey(app, caller, { ...body, id: accountId(params) }),
    removePasskey: ({ caller, params }) =>
      removeFactor(app, caller, { method: 'passkey', id: accountId(params) }),
    renewRecoveryCodes: async ({ caller }) => ({ recoveryCodes: await renewRecoveryCodes(app, caller) }),
  } satisfies Partial<Routes>;
}

/** The id of a passkey or a session. */
function accountId({ id }: { id: string }): string {
  return idParam(id, () => new Refusal('bad_request'));
}
