import type { accountCalls } from '@settee/protocol/calls/accountCalls';
import { beginTotp, confirmTotp, removeFactor, renewRecoveryCodes } from '../actions/staff/factors.ts';
import { changePassword, confirmPassword, readAccount } from '../actions/staff/ownAccount.ts';
import { addPasskey, beginPasskey, renamePasskey } from '../actions/staff/passkeys.ts';
import { signOutElsewhere } from '../actions/staff/sessions.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { idParam, type Routes } from './route.ts';

export function accountRoutes(app: App): Pick<Routes, keyof typeof accountCalls> {
  return {
    async readAccount({ caller }) {
      return { account: await readAccount(app, caller) };
    },
    async confirmPassword({ caller, body }) {
      await confirmPassword(app, caller, body.password);
    },
    async changePassword({ caller, body }) {
      await changePassword(app, caller, body);
    },
    async signOutElsewhere({ caller }) {
      return { ended: await signOutElsewhere(app, caller) };
    },
    async beginTotp({ caller }) {
      return beginTotp(app, caller);
    },
    async confirmTotp({ caller, body }) {
      return { recoveryCodes: await confirmTotp(app, caller, body) };
    },
    async removeTotp({ caller }) {
      await removeFactor(app, caller, { method: 'totp' });
    },
    async beginPasskey({ caller }) {
      return beginPasskey(app, caller);
    },
    async addPasskey({ caller, body }) {
      return { recoveryCodes: await addPasskey(app, caller, body) };
    },
    async renamePasskey({ caller, body, params }) {
      await renamePasskey(app, caller, { ...body, id: passkeyId(params) });
    },
    async removePasskey({ caller, params }) {
      await removeFactor(app, caller, { method: 'passkey', id: passkeyId(params) });
    },
    async renewRecoveryCodes({ caller }) {
      return { recoveryCodes: await renewRecoveryCodes(app, caller) };
    },
  };
}

function passkeyId(params: Record<string, string>): string {
  return idParam(params, 'id', () => new Refusal('bad_request'));
}
