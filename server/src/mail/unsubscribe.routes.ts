import { type Language, visitorLanguages } from '@settee/protocol/texts/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { allow } from '../platform/auth/rateLimits.ts';
import { addressKey } from '../platform/http/client.ts';
import { languageOf } from '../platform/http/language.ts';
import { pageHeaders } from '../platform/http/pageHeaders.ts';
import { readUnsubscribeToken } from './mailSecrets.ts';
import { endReplyMail } from './replyMail.ts';
import { type UnsubscribeStep, unsubscribePage } from './unsubscribePage.ts';
import { readMailLanguage } from './visitorMails.store.ts';

const TOKEN = '[A-Za-z0-9_-]{1,64}';
const FORM_MAX_BYTES = 1_024;

/**
 * The end of mails about a chat (RFC 8058). A mail program makes the POST by itself, without cookies; the signed token
 * is enough. A person gets a page with a button, because a program that looks at links must not end anything. Also
 * without a mail server: the links in earlier mails still work.
 */
export function serveUnsubscribe(app: App, server: FastifyInstance): void {
  server.register(async (scope) => {
    // What it says does not matter. It must not be refused for its type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      (_request, _body, done) => done(null, undefined),
    );
    const url = `/mail/off/:token(^${TOKEN}$)`;
    const conversationOf = async ({ ip, params }: FastifyRequest): Promise<string | undefined> => {
      await allow(app, 'strangerCalls', addressKey(ip));
      return readUnsubscribeToken(app, (params as { token: string }).token);
    };
    scope.get(url, async (request, reply) => {
      const conversationId = await conversationOf(request);
      const language = await languageFor(app, request, conversationId);
      return show(reply, language, conversationId === undefined ? 'invalid' : 'ask');
    });
    scope.post(url, async (request, reply) => {
      const conversationId = await conversationOf(request);
      const language = await languageFor(app, request, conversationId);
      if (conversationId === undefined) return show(reply, language, 'invalid');
      await endReplyMail(app, conversationId);
      return show(reply, language, 'done');
    });
  });
}

async function languageFor(
  { db }: App,
  request: FastifyRequest,
  conversationId: string | undefined,
): Promise<Language> {
  return languageOf(request, visitorLanguages) ?? (await readMailLanguage(db, conversationId));
}

function show(reply: FastifyReply, language: Language, step: UnsubscribeStep): FastifyReply {
  const html = unsubscribePage(language, step);
  return reply
    .status(step === 'invalid' ? 404 : 200)
    .headers(pageHeaders(html))
    .type('text/html; charset=utf-8')
    .send(html);
}
