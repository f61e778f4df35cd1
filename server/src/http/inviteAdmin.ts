import type { inviteAdminCalls } from '@settee/protocol/calls/inviteAdminCalls';
import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { resetCode } from '../actions/invite/continueCode.ts';
import { createInvites } from '../actions/invite/createInvites.ts';
import { replaceLink, revokeInvites, updateInvite } from '../actions/invite/manageInvites.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { type AfterInvite, countInvites, readInvitePage } from '../db/invite/inviteAdmin.ts';
import type { Routes } from './route.ts';

export function inviteAdminRoutes(app: App): Pick<Routes, keyof typeof inviteAdminCalls> {
  return {
    async readInvites({ query: { before, ...chosen } }) {
      const [page, counts] = await Promise.all([
        readInvitePage(app.db, chosen, fromCursor(before)),
        countInvites(app.db, chosen),
      ]);
      return { success: true, ...page, counts };
    },
    async createInvites({ caller, body }) {
      return { success: true, links: await createInvites(app, caller, body) };
    },
    async revokeInvites({ caller, body }) {
      return { success: true, revoked: await revokeInvites(app, caller, body.ids) };
    },
    async replaceLink({ caller, params }) {
      return { success: true, ...(await replaceLink(app, caller, inviteIdOf(params))) };
    },
    async resetCode({ caller, params }) {
      return { success: true, continueCode: await resetCode(app, caller, inviteIdOf(params)) };
    },
    async updateInvite({ caller, params, body: { label, keepDays, days } }) {
      const expiresAt = await updateInvite(app, caller, inviteIdOf(params), { label, keepDays, days });
      return { success: true, expiresAt };
    },
  };
}

function inviteIdOf(params: Record<string, string>): string {
  const id = v.safeParse(Uuid, params.id);
  if (!id.success) throw new Refusal('invite_not_found');
  return id.output;
}

/** Undefined for the first page. */
function fromCursor(cursor: string | undefined): AfterInvite | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt = '', id = ''] = cursor.split('_');
  if (!v.is(Uuid, id)) throw new Refusal('bad_request');
  return { createdAt, id };
}
