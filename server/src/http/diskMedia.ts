import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServedMediaStore } from '../ports.ts';

const PATH = '/media/*';

/** Serves a store that has no server of its own. The signature in the address is the only key. */
export function serveMedia(server: FastifyInstance, media: ServedMediaStore): void {
  server.register(async (scope) => {
    // Bodies are not parsed but streamed, and only after the address was judged.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    scope.put(PATH, async (request, reply) => {
      const stored = await media.receive(request.url, {
        type: request.headers['content-type'],
        bytes: lengthOf(request),
        body: bodyOf(request),
      });
      if (stored) return reply.status(200).send();
      // Without this, a refused sender could go on sending and would be read to the end.
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
          // Pages show it as an image. As a page of its own, what a stranger uploaded must do nothing.
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

/** An upload that breaks off is simply too short. */
async function* bodyOf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* request.raw as AsyncIterable<Uint8Array>;
  } catch {}
}
