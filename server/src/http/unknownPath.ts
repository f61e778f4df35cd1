import { errors } from '@settee/protocol/calls/errors';
import { calls } from '@settee/protocol/calls/http';
import { texts } from '@settee/protocol/texts/texts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers one request, with all that belongs to it. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** For addresses that lead nowhere: a page for people, where there are pages, and JSON for programs. */
export function unknownPath(page: Page | undefined): Page {
  return async (request, reply) => {
    reply.status(errors.not_found.status);
    // A token that no route takes: too long, or impossible to decode.
    if (request.url.startsWith('/checkInvite/')) {
      return reply.send({ success: false, ...calls.checkInvite.refused, error: texts.inviteNotFound });
    }
    if (page && wantsPage(request)) return page(request, reply);
    return reply.send({ success: false, error: texts.notFoundNote, code: 'not_found' });
  };
}

function wantsPage({ method, headers }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html');
}
