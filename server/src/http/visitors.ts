import type { VisitorProfile } from '@settee/protocol/model/visitor';
import { readAs } from '../access.ts';
import { accessToDevices, removeDevice } from '../actions/conversation/removeDevice.ts';
import { nameVisitor, saveProfile } from '../actions/profile/visitorProfile.ts';
import type { App } from '../app.ts';
import { deviceIdOf } from '../auth/deviceId.ts';
import { signVisitor } from '../auth/idToken.ts';
import { newVisitor, setVisitorCookie, visitorOf } from '../auth/visitorCookie.ts';
import { hasDevice, isCredentialReplaced } from '../db/conversation/deviceAccess.ts';
import { readDevices } from '../db/conversation/devices.ts';
import { findProfile, type ProfileRow } from '../db/profile/profiles.ts';
import { findVisitor } from './findVisitor.ts';
import { idParam, type Routes } from './route.ts';

/** Visitors: who they are, and their devices. */
export function visitorRoutes(app: App) {
  return {
    async signInAnonymously({ request, reply }) {
      const cookie = await findVisitor(app, request, reply);
      // A secret that was replaced long ago is worthless: its holder becomes a new visitor.
      const known =
        cookie && !(await isCredentialReplaced(app.db, visitorOf(cookie), { sinceLongAgo: true }));
      const visitor = known ? cookie : newVisitor(app);
      setVisitorCookie(app, reply, visitor);
      const token = await signVisitor(app, visitorOf(visitor));
      return { visitorId: visitor.visitorId, ...token };
    },
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
    async readDevices({ caller, params }) {
      const access = await accessToDevices(app, caller, idParam(params.id));
      const { conversation } = access;
      const rows = await readAs(app, access, () => readDevices(app.db, conversation.id));
      const devices = rows.map(({ visitorId, ...row }) => ({
        ...row,
        id: deviceIdOf(app, conversation.id, visitorId),
        current: caller.kind === 'visitor' && caller.visitorId === visitorId,
      }));
      return { devices };
    },
    async removeDevice({ caller, params }) {
      await removeDevice(app, caller, { conversationId: idParam(params.id), deviceId: params.deviceId });
    },
  } satisfies Partial<Routes>;
}

function profileView(row: ProfileRow): VisitorProfile {
  const { visitorId, displayName, createdAt, pushEndpoint } = row;
  return { visitorId, displayName, createdAt: createdAt.getTime(), fcmToken: pushEndpoint };
}
