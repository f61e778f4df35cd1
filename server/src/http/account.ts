import type { accountCalls } from '@settee/protocol/calls/accountCalls';
import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { beginTotp, confirmTotp, removeFactor, renewRecoveryCodes } from '../actions/staff/factors.ts';
import { changePassword, confirmPassword, readAccount } from '../actions/staff/ownAccount.ts';
import { addPasskey, beginPasskey, renamePasskey } from '../actions/staff/passkeys.ts';
import { signOutElsewhere } from '../actions/staff/sessions.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import type { Routes } from './route.ts';

const done = { success: true } as const;

export function accountRoutes(app: App): Pick<Routes, keyof typeof accountCalls> {
  return {
    async readAccount({ caller }) {
      return { ...done, account: await readAccount(app, caller) };
    },
    async confirmPassword({ caller, body }) {
      await confirmPassword(app, caller, body.password);
      return done;
    },
    async changePassword({ caller, body }) {
      await changePassword(app, caller, body);
      return done;
    },
    async signOutElsewhere({ caller }) {
      return { ...done, ended: await signOutElsewhere(app, caller) };
    },
    async beginTotp({ caller }) {
      return { ...done, ...(await beginTotp(app, caller)) };
    },
    async confirmTotp({ caller, body }) {
      return { ...done, recoveryCodes: await confirmTotp(app, caller, body) };
    },
    async removeTotp({ caller }) {
      await removeFactor(app, caller, { method: 'totp' });
      return done;
    },
    async beginPasskey({ caller }) {
      return { ...done, ...(await beginPasskey(app, caller)) };
    },
    async addPasskey({ caller, body }) {
      return { ...done, recoveryCodes: await addPasskey(app, caller, body) };
    },
    async renamePasskey({ caller, body, params }) {
      await renamePasskey(app, caller, { ...body, id: idOf(params) });
      return done;
    },
    async removePasskey({ caller, params }) {
      await removeFactor(app, caller, { method: 'passkey', id: idOf(params) });
      return done;
    },
    async renewRecoveryCodes({ caller }) {
      return { ...done, recoveryCodes: await renewRecoveryCodes(app, caller) };
    },
  };
}

function idOf({ id }: Record<string, string>): string {
  if (!v.is(Uuid, id)) throw new Refusal('bad_request');
  return id;
}
