import cookie from '@fastify/cookie';
import type { Call } from '@settee/protocol/calls/call';
import { errors } from '@settee/protocol/calls/errors';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { UPLOAD_SECONDS } from '@settee/protocol/model/media';
import { fillText } from '@settee/protocol/texts/fillText';
import { visitorLanguages } from '@settee/protocol/texts/languages';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { Overloaded } from '../limits/overloaded.ts';
import { connectionLimits } from '../limits/table.ts';
import { reason } from '../log/log.ts';
import type { ApiKeyCaller, Caller } from '../ports/caller.ts';
import { limitAddress, limitCaller, limitRequest } from './callLimits.ts';
import { languageOf } from './language.ts';
import { hasBody } from './paceConnections.ts';
import type { Page } from './pageHeaders.ts';
import type { Incoming, Routes } from './route.ts';
import { recordCall } from './securityEvents.ts';
import { translateText } from './translateText.ts';

export const BODY_MAX_BYTES = 65_536;
const TOO_LARGE = 413;
/** For a call that was refused because the database is busy. */
const RETRY_AFTER_SECONDS = 1;

/** How often to look for requests that take too long. */
const CHECK_MS = 5_000;

const HTTPS_FOR_A_YEAR = 'max-age=31536000';

/** For answers that are no pages: a browser that opens one must not run or frame anything. */
const NOT_A_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** Verifies the caller of a request. Undefined for calls that anybody may make. */
export type Identify = (
  app: App,
  call: Call,
  request: FastifyRequest,
) => Promise<Caller | ApiKeyCaller | undefined>;

/** Serves every call of the protocol. Input is parsed and the caller verified here, before the route runs. */
export function createHttpServer(
  app: App,
  { routes, identify, unknown }: { routes: Routes; identify: Identify; unknown: Page },
): FastifyInstance {
  const server = Fastify({
    // Fastify would log paths, which contain invite tokens.
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    // Fastify has no limit. An upload may take as long as its address is valid.
    requestTimeout: UPLOAD_SECONDS * 1_000,
    http: {
      headersTimeout: connectionLimits.requestSeconds * 1_000,
      connectionsCheckingInterval: CHECK_MS,
    },
    // Fastify passes lists to proxy-addr. Its types lack them.
    trustProxy: app.config.trustProxy as boolean,
    // For a path that is too long or not decodable. Fastify's own answer would repeat the path.
    frameworkErrors: (_error, request, reply) => void unknown(request, reply),
  });
  server.setNotFoundHandler(unknown);
  // Not for localhost: a browser would then refuse other local servers without TLS.
  const { protocol, hostname } = new URL(app.config.publicUrl);
  const secure = protocol === 'https:' && !/(?:^|\.)localhost$/.test(hostname);
  const strictTransport = HTTPS_FOR_A_YEAR + (app.config.hstsSubdomains ? '; includeSubDomains' : '');
  server.register(cookie);
  server.setErrorHandler((error, _request, reply) => answerError(app, error, reply));
  server.addHook('onRequest', async (request) => endSlowBody(app, request));
  server.addHook('onRequest', (request) => limitRequest(app, request));
  server.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    // No cache between us and the page may store an answer.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOT_A_PAGE);
    if (!reply.hasHeader('cross-origin-resource-policy'))
      reply.header('cross-origin-resource-policy', 'same-origin');
    if (secure) reply.header('strict-transport-security', strictTransport);
    // An idle connection would delay the shutdown.
    if (app.stopping.aborted) reply.header('connection', 'close');
  });
  server.addHook('preSerialization', async (request, _reply, answer) => inLanguageOf(request, answer));
  server.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config as { call?: CallName };
    app.metrics.http(call ?? 'page', reply.statusCode, reply.elapsedTime / 1_000);
    recordCall(app, call, reply);
  });
  server.register(async (scope) => {
    // Calls that expect JSON refuse bytes when they parse the body.
    scope.addContentTypeParser(
      /^(?:image\/|application\/octet-stream)/,
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    for (const name of Object.keys(calls) as CallName[]) register(app, scope, name, { routes, identify });
  });
  return server;
}

function register<N extends CallName>(
  app: App,
  server: FastifyInstance,
  name: N,
  { routes, identify }: { routes: Routes; identify: Identify },
): void {
  const call: Call = calls[name];
  server.route({
    method: call.method,
    url: call.path,
    // The name for metrics. A path would reveal tokens and ids.
    config: { call: name, isUpload: call.bytes !== undefined },
    bodyLimit: call.bytes ?? call.bodyMax ?? BODY_MAX_BYTES,
    onRequest: (request) => limitAddress(app, call, request),
    errorHandler: (error, _request, reply) => {
      const { tooManyBytes, refused } = call;
      const tooLarge = tooManyBytes !== undefined && error.statusCode === TOO_LARGE;
      const refusal = tooLarge ? new Refusal(tooManyBytes.code, tooManyBytes.text) : error;
      answerError(app, refusal, reply, refused);
    },
    handler: async (request, reply) => {
      const caller = await identify(app, call, request);
      // The answer would come too late, and staff need the connections.
      if (caller?.kind !== 'staff' && app.db.isBusy()) throw overloaded();
      const params = request.params as Record<string, string>;
      if (caller?.kind === 'staff') request.staffId = caller.staffId;
      if (caller !== undefined) await limitCaller(app, call, caller, params.id);
      const incoming = {
        caller,
        body: call.bytes === undefined ? call.body && parse(call.body, request.body) : bodyBytes(request),
        query: call.query && parse(call.query, request.query),
        params,
        request,
        reply,
      };
      return { success: true, ...(await routes[name](incoming as unknown as Incoming<N>)) };
    },
  });
}

/** Slow bodies of calls would hold their connections as long as an upload may take. */
function endSlowBody({ clock }: App, { raw, routeOptions }: FastifyRequest): void {
  const { isUpload } = routeOptions.config as { isUpload?: boolean };
  if (isUpload || !hasBody(raw)) return;
  const cancel = clock.after(connectionLimits.requestSeconds * 1_000, () => raw.destroy());
  raw.once('end', cancel).once('close', cancel);
}

function bodyBytes(request: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(request.body)) throw new Refusal('bad_request');
  return request.body;
}

function parse(schema: v.GenericSchema, input: unknown): unknown {
  const result = v.safeParse(schema, input ?? {});
  if (result.success) return result.output;
  // Show the message of a rule that has one, such as a name that is too short.
  const issue = result.issues[0];
  const readable =
    issue.kind === 'validation' && issue.message !== '' && !issue.message.startsWith('Invalid');
  throw readable ? new Refusal('bad_request', issue.message) : new Refusal('bad_request');
}

function answerError(
  app: App,
  error: unknown,
  reply: FastifyReply,
  fields: Record<string, unknown> = {},
): FastifyReply {
  const refused = refusalFor(app, error);
  reply.request.refusal = refused;
  const { status } = errors[refused.code];
  if (refused.retryAfter !== undefined) reply.header('retry-after', refused.retryAfter);
  return reply.status(status).send({ success: false, ...fields, error: refused.message, code: refused.code });
}

/** The text of a refusal in the reader's language. Programs use the code. */
function inLanguageOf(request: FastifyRequest, answer: unknown): unknown {
  const { success, error } = answer as { success?: boolean; error?: unknown };
  if (success !== false || typeof error !== 'string') return answer;
  const language = languageOf(request, visitorLanguages) ?? 'en';
  const { refusal } = request;
  const { text, values } = refusal?.message === error ? refusal : { text: error, values: {} };
  return { ...(answer as object), error: fillText(translateText(text, language), values, language) };
}

function overloaded(): Refusal {
  return new Refusal('unavailable', undefined, { retryAfter: RETRY_AFTER_SECONDS });
}

/** Fastify's own errors (a broken or too large body) are the client's fault. All others are ours. */
function refusalFor(app: App, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // Not logged: thousands of lines would only add to the load.
  if (error instanceof Overloaded) return overloaded();
  return new Refusal(codeFor(app, error));
}

function codeFor(app: App, error: unknown): keyof typeof errors {
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 429) return 'too_many';
  if (status !== undefined && status < 500) return 'bad_request';
  app.log.error({ reason: reason(error) }, 'call failed');
  return 'unavailable';
}
