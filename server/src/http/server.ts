import cookie from '@fastify/cookie';
import type { Auth, Call } from '@settee/protocol/calls/call';
import { errors } from '@settee/protocol/calls/errors';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { App } from '../app.ts';
import { callerFromIdToken } from '../auth/callers.ts';
import { Refusal } from '../auth/refusal.ts';
import type { Caller } from '../caller.ts';
import { reason } from '../log/log.ts';
import { demandOwnOrigin } from './origin.ts';
import type { Incoming, Routes } from './route.ts';
import type { Page } from './unknownPath.ts';

export const BODY_MAX_BYTES = 65_536;
const TOO_LARGE = 413;

/** For this host alone: its neighbours are not ours to speak for. */
const HTTPS_FOR_A_YEAR = 'max-age=31536000';

/** The HTTP door: every call of the protocol, parsed and verified in one place. */
export function createHttpServer(app: App, routes: Routes, unknown: Page): FastifyInstance {
  const server = Fastify({
    // Our own log only: the token of an invite is part of a path, and no framework message may repeat it.
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    // A count of proxies; Fastify hands numbers on to proxy-addr, its types only forgot them.
    trustProxy: app.config.trustProxy as boolean,
    // A path that cannot be decoded, or is too long: Fastify itself would answer with the path.
    frameworkErrors: (_error, request, reply) => void unknown(request, reply),
  });
  server.setNotFoundHandler(unknown);
  // Not for localhost: a browser would then refuse whatever else runs there without TLS.
  const { protocol, hostname } = new URL(app.config.publicUrl);
  const secure = protocol === 'https:' && !/(?:^|\.)localhost$/.test(hostname);
  server.register(cookie);
  server.setErrorHandler((error, _request, reply) => answerError(app, error, reply));
  server.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (secure) reply.header('strict-transport-security', HTTPS_FOR_A_YEAR);
    // What was under way when the end began is the last on its connection: an idle one would hold the end up.
    if (app.stopping.aborted) reply.header('connection', 'close');
  });
  server.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config as { call?: CallName };
    app.metrics.http(call ?? 'page', reply.statusCode, reply.elapsedTime / 1_000);
  });
  server.register(async (scope) => {
    // Only calls that ask for bytes take them; all others refuse what is no JSON by its shape.
    scope.addContentTypeParser(
      /^(?:image\/|application\/octet-stream)/,
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    for (const name of Object.keys(calls) as CallName[]) register(app, scope, name, routes);
  });
  return server;
}

function register<N extends CallName>(app: App, server: FastifyInstance, name: N, routes: Routes): void {
  const call: Call = calls[name];
  server.route({
    method: call.method,
    url: call.path,
    // Under this name it is counted; a path would tell tokens and ids.
    config: { call: name },
    bodyLimit: call.bytes ?? call.bodyMax ?? BODY_MAX_BYTES,
    errorHandler: (error, _request, reply) => {
      const { tooManyBytes, refused } = call;
      const tooLarge = tooManyBytes !== undefined && error.statusCode === TOO_LARGE;
      const shown = tooLarge ? new Refusal(tooManyBytes.code, tooManyBytes.text) : error;
      answerError(app, shown, reply, refused);
    },
    handler: async (request, reply) => {
      const caller = await identify(app, call.auth, request);
      const incoming = {
        caller,
        body: call.bytes === undefined ? call.body && parse(call.body, request.body) : bytesOf(request),
        query: call.query && parse(call.query, request.query),
        params: request.params as Record<string, string>,
        request,
        reply,
      };
      return routes[name](incoming as unknown as Incoming<N>);
    },
  });
}

function bytesOf(request: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(request.body)) throw new Refusal('bad_request');
  return request.body;
}

async function identify(app: App, auth: Auth, request: FastifyRequest): Promise<Caller | undefined> {
  if (auth === 'none') return undefined;
  if (auth === 'cookie') {
    demandOwnOrigin(app, request);
    return undefined;
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('unauthenticated');
  const { caller } = await callerFromIdToken(app, token);
  demandRight(auth, caller);
  return caller;
}

function demandRight(auth: Auth, caller: Caller): void {
  if (caller.kind === 'visitor') {
    if (auth === 'admin') throw new Refusal('access_denied', adminTexts.adminRequired);
    if (auth !== 'any' && auth !== 'visitor') throw new Refusal('access_denied');
    return;
  }
  if (auth === 'visitor') throw new Refusal('access_denied', 'Access denied. This call is for visitors.');
  if (auth === 'admin' && caller.role !== 'admin') {
    throw new Refusal('access_denied', adminTexts.adminRequired);
  }
  const closed = !caller.verified || (auth === 'admin' && caller.overdue);
  if (auth !== 'account' && closed) throw new Refusal('second_factor_required');
}

function parse(schema: v.GenericSchema, input: unknown): unknown {
  const result = v.safeParse(schema, input ?? {});
  if (result.success) return result.output;
  // A rule with a text of its own (a name too short, say) is for a person to read.
  const issue = result.issues[0];
  const spoken = issue.kind === 'validation' && issue.message !== '' && !issue.message.startsWith('Invalid');
  throw spoken ? new Refusal('bad_request', issue.message) : new Refusal('bad_request');
}

function answerError(
  app: App,
  error: unknown,
  reply: FastifyReply,
  fields: Record<string, unknown> = {},
): FastifyReply {
  const refused = error instanceof Refusal ? error : new Refusal(codeFor(app, error));
  const { status } = errors[refused.code];
  return reply.status(status).send({ success: false, ...fields, error: refused.message, code: refused.code });
}

/** Fastify's own refusals (a broken body, one too large) are the client's; all else is ours. */
function codeFor(app: App, error: unknown): keyof typeof errors {
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 429) return 'too_many';
  if (status !== undefined && status < 500) return 'bad_request';
  app.log.error({ reason: reason(error) }, 'call failed');
  return 'unavailable';
}
