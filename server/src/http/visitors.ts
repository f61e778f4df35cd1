import type { rightsCalls } from '@settee/protocol/calls/rightsCalls';
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

type VisitorRoutes = Pick<
  Routes,
  'readProfile' | 'saveProfile' | 'nameVisitor' | 'renewCode' | keyof typeof rightsCalls
>;

export function visitorRoutes(app: App): VisitorRoutes {
  return {
    async readProfile({ caller }) {
      const profile = (await hasDevice(app.db.sql, caller))
        ? await findProfile(app.db.sql, caller.visitorId)
        : undefined;
      return { profile: profile === undefined ? null : profileView(profile) };
    },
    async saveProfile({ caller, body }) {
      return { profile: profileView(await saveProfile(app, caller, body.displayName)) };
    },
    async nameVisitor({ caller, params, body }) {
      return { conversation: await nameVisitor(app, caller, idParam(params), body.visitorName) };
    },
    async renewCode({ caller, params, reply }) {
      reply.header('cache-control', 'no-store');
      return { continueCode: await renewCode(app, caller, idParam(params)) };
    },
    async exportOwn({ caller, params, query }) {
      const page = await exportOwn(app, caller, idParam(params), query.after);
      return { ...page, conversation: page.conversation as VisitorConversation };
    },
    async eraseOwn({ caller, params }) {
      await eraseOwn(app, caller, idParam(params));
    },
  };
}

function profileView(row: ProfileRow): VisitorProfile {
  const { visitorId, displayName, createdAt, pushEndpoint } = row;
  return { visitorId, displayName, createdAt: createdAt.getTime(), fcmToken: pushEndpoint };
}
