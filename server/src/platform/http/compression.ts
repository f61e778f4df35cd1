import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A page, compressed when the first browser asks for that encoding, and then kept. Only for pages without secrets that
 * repeat nothing of the request: otherwise the compressed length reveals the secret (BREACH). Answers of calls are never
 * compressed.
 */
export type CompressedPage = Readonly<Record<'plain' | 'br' | 'gzip', Buffer>>;

export function compress(text: string): CompressedPage {
  const plain = Buffer.from(text);
  let br: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    plain,
    get br() {
      br ??= brotliCompressSync(plain);
      return br;
    },
    get gzip() {
      gzip ??= gzipSync(plain);
      return gzip;
    },
  };
}

/** The language of a page depends on the browser's languages and on a cookie. */
const VARY = 'accept-encoding, accept-language, cookie';

export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CompressedPage,
): FastifyReply {
  const encoding = bestEncoding(request.headers['accept-encoding']);
  reply.header('vary', VARY).type('text/html; charset=utf-8');
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
