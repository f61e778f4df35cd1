import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { findAvatar } from '../db/profile/brand.ts';

/** A changed picture has another id. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** The profile's picture, for everybody: it is no call, because what it answers is an image. */
export function serveAvatars(app: App, server: FastifyInstance): void {
  server.get<{ Params: { id: string } }>(`/brand/avatar/:id(^${ID}$)`, async ({ params }, reply) => {
    const avatar = await findAvatar(app.db, params.id);
    if (avatar === undefined) return reply.status(404).send();
    return (
      reply
        .header('cache-control', FOR_EVER)
        // As a page of its own it must do nothing.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(avatar.type)
        .send(avatar.bytes)
    );
  });
}
