import { Uuid } from '@settee/protocol/model/ids';
import type { VisitorProfile } from '@settee/protocol/model/visitor';
import * as v from 'valibot';
import { renewCode } from '../actions/invite/continueCode.ts';
import { nameVisitor, saveProfile } from '../actions/profile/visitorProfile.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { hasAnyPlace } from '../db/conversation/devices.ts';
import { findProfile, type ProfileRow } from '../db/profile/profiles.ts';
import type { Routes } from './route.ts';

type VisitorRoutes = Pick<Routes, 'readProfile' | 'saveProfile' | 'nameVisitor' | 'renewCode'>;

export function visitorRoutes(app: App): VisitorRoutes {
  return {
    async readProfile({ caller }) {
      const profile = (await hasAnyPlace(app.db.sql, caller))
        ? await findProfile(app.db.sql, caller.visitorId)
        : undefined;
      return { success: true, profile: profile === undefined ? null : profileView(profile) };
    },

    async saveProfile({ caller, body }) {
      return { success: true, profile: profileView(await saveProfile(app, caller, body.displayName)) };
    },

    async nameVisitor({ caller, params, body }) {
      const conversation = await nameVisitor(app, caller, conversationId(params), body.visitorName);
      return { success: true, conversation };
    },

    async renewCode({ caller, params, reply }) {
      reply.header('cache-control', 'no-store');
      return { success: true, continueCode: await renewCode(app, caller, conversationId(params)) };
    },
  };
}

/** What is no id names no conversation; PostgreSQL would call it an error. */
function conversationId(params: Record<string, string>): string {
  if (!v.is(Uuid, params.id)) throw new Refusal('not_found');
  return params.id;
}

function profileView(row: ProfileRow): VisitorProfile {
  const { visitorId, displayName, createdAt, pushEndpoint } = row;
  return { visitorId, displayName, createdAt: createdAt.getTime(), fcmToken: pushEndpoint };
}
