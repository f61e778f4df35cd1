import type { FastifyInstance, FastifyRequest } from 'fastify';
import { downloadHeaders, type ServedMediaStore } from '../platform/ports/ports.ts';

const PATH = '/media/*';
const RETRY_SECONDS = 5;

/** Serves the media of a disk store. Only signed URLs are accepted. */
export function serveMedia(server: FastifyInstance, media: ServedMediaStore): void {
  server.register(async (scope) => {
    // Bodies are streamed, and only after the URL was verified.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    scope.put(PATH, { config: { isUpload: true } }, async (request, reply) => {
      const stored = await media.receive(request.url, {
        type: request.headers['content-type'],
        bytes: lengthOf(request),
        body: bodyOf(request),
        cancel: () => request.raw.destroy(),
      });
      if (stored === 'stored') return reply.status(200).send();
      // Otherwise the server would read the rest of a refused upload.
      reply.header('connection', 'close');
      if (stored === 'refused') return reply.status(403).send();
      return reply.status(503).header('retry-after', RETRY_SECONDS).send();
    });

    scope.get(PATH, { exposeHeadRoute: false }, async (request, reply) => {
      const found = await media.open(request.url);
      if (found === 'refused') return reply.status(403).send();
      if (found === undefined) return reply.status(404).send();
      return reply
        .headers(downloadHeaders(found.path))
        .header('content-type', found.type)
        .header('content-length', found.bytes)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
        .send(found.body);
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
