import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { resetCode } from './continueCode.ts';
import { createInvites } from './createInvites.ts';
import { type AfterInvite, readInvitePage } from './inviteAdmin.store.ts';
import { countInvites } from './inviteCounts.store.ts';
import { replaceLink, revokeInvites, updateInvite } from './manageInvites.ts';

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
    updateInvite: async ({ caller, params, body }) => ({
      expiresAt: await updateInvite(app, caller, inviteId(params), body),
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
