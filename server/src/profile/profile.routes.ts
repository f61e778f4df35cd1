import { MAIN } from '@settee/protocol/model/profile';
import { Alias } from '@settee/protocol/model/staff';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { linkOf } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { isAnyoneOnline } from '../platform/db/presenceLeases.ts';
import type { Routes } from '../platform/http/route.ts';
import { archiveProfile } from './archiveProfile.ts';
import { findAvatar, readProfile, readProfileOfLink } from './brand.store.ts';
import { createProfile } from './createProfile.ts';
import { readDeskHours } from './deskHours.store.ts';
import { readManagedProfiles } from './managedProfiles.store.ts';
import { setAvatar } from './setAvatar.ts';
import { requireProfile, setBrand } from './setBrand.ts';
import { setDeskHours } from './setDeskHours.ts';

/** The public profile, its settings and the opening hours. */
export function profileRoutes(app: App) {
  return {
    async readBrand({ query: { invite = '' } }) {
      const link = linkOf(invite);
      const [{ brand }, online] = await Promise.all([
        readProfileOfLink(app.db, link),
        isAnyoneOnline(app.db, link),
      ]);
      return { brand, online };
    },
    listProfiles: async () => ({ profiles: await readManagedProfiles(app.db) }),
    createProfile: ({ caller, body }) => createProfile(app, body, caller),
    archiveProfile: ({ caller, params }) => archiveProfile(app, caller, params, true),
    unarchiveProfile: ({ caller, params }) => archiveProfile(app, caller, params, false),
    async readProfileSettings({ query: { profile = MAIN } }) {
      await requireProfile(app.db, profile);
      return readProfile(app.db, profile);
    },
    saveProfileSettings: ({ caller, body, query }) => setBrand(app, body, caller.staffId, query.profile),
    setAvatar: ({ caller, body, query }) => setAvatar(app, body, caller.staffId, query.profile),
    removeAvatar: ({ caller, query }) => setAvatar(app, undefined, caller.staffId, query.profile),
    readDeskHours: async () => ({ desks: await readDeskHours(app.db) }),
    async saveDeskHours({ caller, params: { alias }, body: { hours } }) {
      if (!v.is(Alias, alias)) throw new Refusal('not_found');
      await setDeskHours(app, caller, { alias, hours });
      return { hours };
    },
  } satisfies Partial<Routes>;
}

/** A changed image has another id. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Serves the profile's image to everybody. */
export function serveAvatars(app: App, server: FastifyInstance): void {
  server.get<{ Params: { id: string } }>(`/brand/avatar/:id(^${ID}$)`, async ({ params }, reply) => {
    const avatar = await findAvatar(app.db, params.id);
    if (avatar === undefined) return reply.status(404).send();
    return (
      reply
        .header('cache-control', IMMUTABLE)
        // Opened as a page, the image must not run anything.
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
        .type(avatar.type)
        .send(avatar.bytes)
    );
  });
}
