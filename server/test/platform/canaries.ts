import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import type { PushService } from '../push/pushService.ts';
import { LiveClient } from '../support/client.ts';

/** Secrets of persons, browsers and the server in a story. No log may contain any of them. */
export class Canaries {
  readonly #all = new Map<string, string>();

  /** A unique word for a field of this name. Letters only: a password may not have the letters of a name. */
  word(field: string): string {
    const letters = Array.from(randomBytes(12), (byte) => String.fromCharCode(97 + (byte % 26)));
    return this.keep(field, `zq${letters.join('')}`);
  }

  /** Adds a secret that the server made. A shorter one could occur by chance. */
  keep(field: string, value: string): string {
    if (value.length < 8) throw new Error(`${field} is too short to be looked for`);
    this.#all.set(value, field);
    return value;
  }

  fields(): string[] {
    return [...new Set(this.#all.values())].toSorted();
  }

  /** The fields whose secrets occur in this text, in any encoding that a log might use. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    const has = (value: string): boolean =>
      [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64url'),
        Buffer.from(value).toString('hex'),
      ]
        .map((written) => written.toLowerCase())
        .some((written) => lower.includes(written));
    return [...this.#all].filter(([value]) => has(value)).map(([, field]) => field);
  }
}

export const ORIGIN = 'http://settee.test';

/** A browser that puts a canary into every part of a request. */
export class ChattyBrowser {
  token = '';
  readonly #url: string;
  readonly #canaries: Canaries;
  readonly #cookies = new Map<string, string>();
  readonly #habits: Record<string, string>;

  constructor(url: string, canaries: Canaries) {
    this.#url = url;
    this.#canaries = canaries;
    this.#cookies.set('own', canaries.word('cookie of its own'));
    this.#habits = {
      'user-agent': `Mozilla ${canaries.word('user-agent')}`,
      referer: `${ORIGIN}/i/${canaries.word('referer')}`,
      'accept-language': canaries.word('accept-language'),
      'x-forwarded-for': canaries.word('x-forwarded-for'),
      'x-request-id': canaries.word('x-request-id'),
    };
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ): Promise<any> {
    // Some calls have a query and allow no other parameter.
    const query = path.includes('?') ? '' : `?q0=${this.#canaries.word('query string')}`;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.#url + path + query, {
      method,
      headers: {
        origin: ORIGIN,
        ...this.#habits,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
      if (value.length >= 8) this.#canaries.keep('cookie', value);
    }
    const text = await response.text();
    const answer = text.startsWith('{') ? JSON.parse(text) : {};
    if (typeof answer.idToken === 'string') this.token = this.#canaries.keep('ID token', answer.idToken);
    return { ...answer, status: response.status };
  }
}

export type StoryResult = {
  canaries: Canaries;
  url: string;
  admin: ChattyBrowser;
  handler: ChattyBrowser;
  visitor: ChattyBrowser;
  live: LiveClient;
  conversationId: string;
};

const csrf = (): string => String(Date.now());
const ok = (answer: { status: number; code?: string }): void =>
  expect([answer.status, answer.code]).toEqual([200, undefined]);

/** The whole life of an installation: first administrator, handler, invite, conversation. */
export async function runStory(url: string, setupCode: string, canaries: Canaries): Promise<StoryResult> {
  const admin = await firstAdministrator(url, setupCode, canaries);
  const alias = `d${canaries.word('alias')}`;
  const handler = await newHandler(url, admin, alias, canaries);
  const chat = await newChat(url, admin, alias, canaries);
  const result = { canaries, url, admin, handler, ...chat };
  await exchangeMessages(result);
  return result;
}

async function firstAdministrator(url: string, code: string, canaries: Canaries): Promise<ChattyBrowser> {
  const admin = new ChattyBrowser(url, canaries);
  const password = canaries.word('password');
  const email = `${canaries.word('e-mail')}@settee.example`;
  const person = { name: canaries.word("staff's name"), email, password };
  await admin.call('POST', '/setup', { ...person, code: canaries.word('wrong setup code') });
  ok(await admin.call('POST', '/setup', { ...person, code }));
  ok(await admin.call('POST', '/auth/staff/refresh'));
  const { secret, ticket } = await admin.call('POST', '/account/totp/begin');
  canaries.keep('TOTP secret', secret);
  canaries.keep('ticket', ticket);
  await admin.call('PUT', '/account/totp', { ticket, code: canaries.word('wrong TOTP code') });
  const enrolled = await admin.call('PUT', '/account/totp', { ticket, code: generateSync({ secret }) });
  ok(enrolled);
  for (const each of enrolled.recoveryCodes) canaries.keep('recovery code', each);

  const again = new ChattyBrowser(url, canaries);
  await again.call('POST', '/auth/staff/sign-in', { email, password: canaries.word('wrong password') });
  await again.call('POST', '/auth/staff/sign-in', { email: canaries.word('no e-mail'), password });
  const { secondFactor } = await again.call('POST', '/auth/staff/sign-in', { email, password });
  const proof = { method: 'recovery', code: canaries.word('wrong recovery code') };
  await again.call('POST', '/auth/staff/second-factor', { ticket: secondFactor.ticket, proof });
  const right = { method: 'recovery', code: enrolled.recoveryCodes[0] };
  ok(await again.call('POST', '/auth/staff/second-factor', { ticket: secondFactor.ticket, proof: right }));
  return again;
}

async function newHandler(
  url: string,
  admin: ChattyBrowser,
  alias: string,
  canaries: Canaries,
): Promise<ChattyBrowser> {
  const email = `${canaries.word("handler's e-mail")}@settee.example`;
  const person = { name: canaries.word("handler's name"), email, role: 'handler', alias };
  const added = await admin.call('POST', '/manage/staff', person);
  ok(added);
  const token = canaries.keep('password link', added.link.slice(added.link.lastIndexOf('#') + 1));
  const password = canaries.word("handler's password");
  const handler = new ChattyBrowser(url, canaries);
  ok(await handler.call('POST', '/auth/staff/password', { token, password }));
  ok(await handler.call('POST', '/auth/staff/sign-in', { email, password }));
  // The same address twice: PostgreSQL quotes it in its error detail.
  await admin.call('POST', '/manage/staff', person);
  ok(
    await admin.call('PUT', '/manage/profile?profile=main', { displayName: canaries.word("profile's name") }),
  );
  return handler;
}

async function newChat(url: string, admin: ChattyBrowser, alias: string, canaries: Canaries) {
  const invite = { id: randomUUID(), label: canaries.word('label'), alias, days: 30, keepDays: null };
  const made = await admin.call('POST', '/manage/invites', {
    batchId: randomUUID(),
    attempt: 1,
    invites: [invite],
  });
  ok(made);
  const link: string = made.links[0].link;
  const token = canaries.keep('invite token', link.slice(link.lastIndexOf('/') + 1));
  const visitor = new ChattyBrowser(url, canaries);
  await visitor.call('POST', '/auth/anonymous');
  await visitor.call('GET', `/i/${token}`, undefined, { accept: 'text/html' });
  ok(await visitor.call('GET', `/checkInvite/${token}`));
  await visitor.call('GET', `/checkInvite/${canaries.word('unknown invite token')}`);
  ok(await visitor.call('POST', '/seeInvite', { token }));
  const claimed = await visitor.call('POST', '/claimInvite', { token, csrf: csrf() });
  ok(claimed);
  await visitor.call('POST', '/auth/anonymous');
  const { conversationId } = claimed;
  const device = new ChattyBrowser(url, canaries);
  await device.call('POST', '/auth/anonymous');
  await device.call('POST', '/attachInvite', { token, code: canaries.word('continue code'), csrf: csrf() });
  ok(await device.call('POST', '/attachInvite', { token, code: claimed.continueCode, csrf: csrf() }));
  const visitorName = `Mia ${canaries.word("visitor's name")}`;
  ok(await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName }));
  const live = await LiveClient.open(url, ORIGIN, visitor.token);
  live.send({ type: 'watch', conversationId });
  await live.next('watched');
  return { visitor, live, conversationId: canaries.keep('conversation id', conversationId) };
}

async function exchangeMessages({
  canaries,
  admin,
  handler,
  visitor,
  live,
  conversationId,
}: StoryResult): Promise<void> {
  const id = randomUUID();
  live.send({ type: 'send', conversationId, id, text: canaries.word('message over the socket') });
  await live.next('ack');
  const at = `/conversations/${conversationId}`;
  const words = (field: string) => ({ id: randomUUID(), text: canaries.word(field) });
  ok(await visitor.call('POST', `${at}/messages`, words('message over HTTP')));
  ok(await handler.call('POST', `${at}/messages`, words("handler's message")));
  ok(await handler.call('POST', `${at}/notes`, words('note')));
  ok(await handler.call('GET', `/search?q=${canaries.word('search')}`));
  const reply = { shortcut: canaries.word('shortcut'), text: canaries.word('saved reply'), shared: false };
  ok(await handler.call('PUT', `/replies/${randomUUID()}`, reply));
  const block = { status: 'blocked', reason: canaries.word('reason of a block') };
  ok(await handler.call('PUT', `${at}/status`, block));
  ok(
    await handler.call('PUT', `${at}/status`, { status: 'open', reason: canaries.word('reason of its end') }),
  );
  ok(await admin.call('GET', `/manage/conversations?q=${canaries.word("administrator's search")}`));
  ok(await admin.call('GET', `/manage/conversations/${conversationId}/export?after=0`));
}

/** Uploads bytes that are no image. A worker reports that. */
export async function sendBrokenImage({ canaries, visitor, conversationId }: StoryResult): Promise<void> {
  const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(canaries.word('image'))]);
  const mediaId = randomUUID();
  const at = `/conversations/${conversationId}/media`;
  const file = {
    mediaId,
    type: 'image/png',
    bytes: image.length,
    fileName: `${canaries.word('file name')}.png`,
  };
  const begun = await visitor.call('POST', at, file);
  ok(begun);
  canaries.keep('upload address', begun.uploadUrl);
  const { pathname, search } = new URL(begun.uploadUrl, ORIGIN);
  ok(await visitor.call('PUT', pathname + search, image, { 'content-type': 'image/png' }));
  ok(await visitor.call('POST', `${at}/${mediaId}/uploaded`));
}

/** Subscribes at an unreachable push service: every attempt fails and is logged. */
export async function subscribe({ canaries, visitor }: StoryResult, service: PushService): Promise<void> {
  const subscription = service.subscription(canaries.word('push endpoint'));
  canaries.keep('push key', subscription.auth);
  ok(await visitor.call('PUT', '/push/subscription', subscription));
  await visitor.call('POST', '/push/test', { endpoint: subscription.endpoint });
}

/** Sends all kinds of invalid requests and frames. */
export async function sendInvalidRequests({
  canaries,
  url,
  visitor,
  live,
  conversationId,
}: StoryResult): Promise<void> {
  const nonsense = canaries.word('nonsense');
  live.sendRaw(`{"type":"send","text":"${nonsense}`);
  live.sendRaw(JSON.stringify({ type: nonsense, conversationId: nonsense, [nonsense]: nonsense }));
  live.send({ type: 'send', conversationId: randomUUID(), id: randomUUID(), text: nonsense });
  await live.next('refused');
  const stranger = new LiveClient(url, ORIGIN);
  await stranger.opened();
  stranger.sendRaw(JSON.stringify({ type: 'hello', version: 99, token: nonsense }));
  const foreign = new LiveClient(url, `http://${nonsense}.example`);
  await foreign.opened().catch(() => {});
  for (const path of [
    `/${nonsense}`,
    `/i/%E0%A4%A${nonsense}`,
    `/conversations/${nonsense}`,
    `/live/${nonsense}`,
  ])
    await visitor.call('GET', path);
  await visitor.call('POST', '/claimInvite', `{"token":"${nonsense}`);
  await visitor.call('POST', `/conversations/${conversationId}/messages`, { id: nonsense, text: nonsense });
  await visitor.call('POST', '/claimInvite', { token: nonsense, csrf: nonsense, [nonsense]: 1 });
  await visitor.call('POST', '/push/unsubscribe', `${nonsense}`, { 'content-type': `text/${nonsense}` });
  await visitor.call('GET', '/visitorProfile', undefined, { authorization: `Bearer ${nonsense}` });
  const { port, hostname } = new URL(url);
  const bare = connect(Number(port), hostname);
  bare.end(`GET ${nonsense} ${nonsense}\r\nHost ${nonsense}\r\n\r\n`);
  await new Promise(
    (closed) =>
      void bare
        .on('error', () => {})
        .on('close', closed)
        .resume(),
  );
}
