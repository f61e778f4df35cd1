import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { resetCode } from '../actions/invite/continueCode.ts';
import { createInvites } from '../actions/invite/createInvites.ts';
import { replaceLink, revokeInvites, updateInvite } from '../actions/invite/manageInvites.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { type AfterInvite, readInvitePage } from '../db/invite/inviteAdmin.ts';
import { countInvites } from '../db/invite/inviteCounts.ts';
import { idParam, type Routes } from './route.ts';

export function inviteAdminRoutes(app: App) {
  return {
    async readInvites({ query: { before, ...chosen } }) {
      const [page, counts] = await Promise.all([
        readInvitePage(app.db, chosen, parseCursor(before)),
        countInvites(app.db, chosen),
      ]);
      return { ...page, counts };
    },
    createInvites: async ({ caller, body }) => ({ links: await createInvites(app, caller, body) }),
    revokeInvites: async ({ caller, body }) => ({ revoked: await revokeInvites(app, caller, body.ids) }),
    replaceLink: ({ caller, params }) => replaceLink(app, caller, inviteId(params)),
    resetCode: async ({ caller, params }) => ({
      continueCode: await resetCode(app, caller, inviteId(params)),
    }),
    updateInvite: async ({ caller, params, body: { label, keepDays, days } }) => ({
      expiresAt: await updateInvite(app, caller, inviteId(params), { label, keepDays, days }),
    }),
  } satisfies Partial<Routes>;
}

function inviteId({ id }: { id: string }): string {
  return idParam(id, () => new Refusal('invite_not_found'));
}

/** Undefined for the first page. */
function parseCursor(cursor: string | undefined): AfterInvite | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt = '', id = ''] = cursor.split('_');
  if (!v.is(Uuid, id)) throw new Refusal('bad_request');
  return { createdAt, id };
}
