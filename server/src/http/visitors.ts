import type { VisitorConversation } from '@settee/protocol/model/conversation';
import type { VisitorProfile } from '@settee/protocol/model/visitor';
import { eraseOwn } from '../actions/conversation/eraseConversation.ts';
import { exportOwn } from '../actions/conversation/exportConversation.ts';
import { renewCode } from '../actions/invite/continueCode.ts';
import { nameVisitor, saveProfile } from '../actions/profile/visitorProfile.ts';
import type { App } from '../app.ts';
import { hasDevice } from '../db/conversation/devices.ts';
import { findProfile, type ProfileRow } from '../db/profile/profiles.ts';
import { idParam, type Routes } from './route.ts';

export function visitorRoutes(app: App) {
  return {
    async readProfile({ caller }) {
      const profile = (await hasDevice(app.db, caller))
        ? await findProfile(app.db, caller.visitorId)
        : undefined;
      return { profile: profile === undefined ? null : profileView(profile) };
    },
    saveProfile: async ({ caller, body }) => ({
      profile: profileView(await saveProfile(app, caller, body.displayName)),
    }),
    nameVisitor: async ({ caller, params, body }) => ({
      conversation: await nameVisitor(app, caller, idParam(params.id), body.visitorName),
    }),
    renewCode: async ({ caller, params }) => ({
      continueCode: await renewCode(app, caller, idParam(params.id)),
    }),
    async exportOwn({ caller, params, query }) {
      const page = await exportOwn(app, caller, idParam(params.id), query.after);
      return { ...page, conversation: page.conversation as VisitorConversation };
    },
    eraseOwn: ({ caller, params }) => eraseOwn(app, caller, idParam(params.id)),
  } satisfies Partial<Routes>;
}

function profileView(row: ProfileRow): VisitorProfile {
  const { visitorId, displayName, createdAt, pushEndpoint } = row;
  return { visitorId, displayName, createdAt: createdAt.getTime(), fcmToken: pushEndpoint };
}
