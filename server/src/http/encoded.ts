import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A page as it goes over the wire. Only for what holds no secret and repeats nothing of the request: compressing the
 * two together would tell one by the length of the other. Answers of calls are never compressed.
 */
export type Encoded = { plain: Buffer; br: Buffer; gzip: Buffer };

export function encode(text: string): Encoded {
  const plain = Buffer.from(text);
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

export function sendEncoded(request: FastifyRequest, reply: FastifyReply, page: Encoded): FastifyReply {
  const encoding = bestEncoding(request.headers['accept-encoding']);
  reply.header('vary', 'accept-encoding').type('text/html; charset=utf-8');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(page[encoding ?? 'plain']);
}

function bestEncoding(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const offers = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.replaceAll(/\s/g, ''));
  const accepts = (name: string) =>
    offers.some((offer) => offer.split(';')[0] === name && !/;q=0(\.0*)?$/.test(offer));
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : undefined;
}
