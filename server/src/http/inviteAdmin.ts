import type { inviteAdminCalls } from '@settee/protocol/calls/inviteAdminCalls';
import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { resetCode } from '../actions/invite/continueCode.ts';
import { createInvites } from '../actions/invite/createInvites.ts';
import { replaceLink, revokeInvites, updateInvite } from '../actions/invite/manageInvites.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { type AfterInvite, countInvites, readInvitePage } from '../db/invite/inviteAdmin.ts';
import { idParam, type Routes } from './route.ts';

export function inviteAdminRoutes(app: App): Pick<Routes, keyof typeof inviteAdminCalls> {
  return {
    async readInvites({ query: { before, ...chosen } }) {
      const [page, counts] = await Promise.all([
        readInvitePage(app.db, chosen, parseCursor(before)),
        countInvites(app.db, chosen),
      ]);
      return { ...page, counts };
    },
    async createInvites({ caller, body }) {
      return { links: await createInvites(app, caller, body) };
    },
    async revokeInvites({ caller, body }) {
      return { revoked: await revokeInvites(app, caller, body.ids) };
    },
    async replaceLink({ caller, params }) {
      return replaceLink(app, caller, inviteId(params));
    },
    async resetCode({ caller, params }) {
      return { continueCode: await resetCode(app, caller, inviteId(params)) };
    },
    async updateInvite({ caller, params, body: { label, keepDays, days } }) {
      return { expiresAt: await updateInvite(app, caller, inviteId(params), { label, keepDays, days }) };
    },
  };
}

function inviteId(params: Record<string, string>): string {
  return idParam(params, 'id', () => new Refusal('invite_not_found'));
}

/** Undefined for the first page. */
function parseCursor(cursor: string | undefined): AfterInvite | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt = '', id = ''] = cursor.split('_');
  if (!v.is(Uuid, id)) throw new Refusal('bad_request');
  return { createdAt, id };
}
