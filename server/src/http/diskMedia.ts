import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServedMediaStore } from '../ports.ts';

const PATH = '/media/*';

/** Serves the media of a disk store. Only signed URLs are accepted. */
export function serveMedia(server: FastifyInstance, media: ServedMediaStore): void {
  server.register(async (scope) => {
    // Bodies are streamed, and only after the URL was verified.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    scope.put(PATH, async (request, reply) => {
      const stored = await media.receive(request.url, {
        type: request.headers['content-type'],
        bytes: lengthOf(request),
        body: bodyOf(request),
      });
      if (stored) return reply.status(200).send();
      // Otherwise the server would read the rest of a refused upload.
      return reply.status(403).header('connection', 'close').send();
    });

    scope.get(PATH, { exposeHeadRoute: false }, async (request, reply) => {
      const found = await media.open(request.url);
      if (found === 'refused') return reply.status(403).send();
      if (found === undefined) return reply.status(404).send();
      return (
        reply
          .header('content-type', found.type)
          .header('content-length', found.bytes)
          .header('x-content-type-options', 'nosniff')
          // Pages show it as an image. Opened directly, an upload must not run anything.
          .header('content-disposition', 'attachment')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(found.body)
      );
    });
  });
}

function lengthOf(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** An interrupted upload is too short, which the store notices. */
async function* bodyOf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* request.raw as AsyncIterable<Uint8Array>;
  } catch {}
}
