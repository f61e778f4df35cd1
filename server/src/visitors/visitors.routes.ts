import type { VisitorProfile } from '@settee/protocol/model/visitor';
import { hasDevice, isCredentialReplaced } from '../access/access.store.ts';
import { readAs } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { signVisitor } from '../platform/auth/idToken.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { deviceIdOf } from './deviceId.ts';
import { readDevices } from './devices.store.ts';
import { findVisitor } from './findVisitor.ts';
import { findProfile, type ProfileRow } from './profiles.store.ts';
import { accessToDevices, removeDevice } from './removeDevice.ts';
import { newVisitor, setVisitorCookie, visitorOf } from './visitorCookie.ts';
import { nameVisitor, saveProfile } from './visitorProfile.ts';

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
