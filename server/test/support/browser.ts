import { randomUUID } from 'node:crypto';
import { createInvite } from '../../src/invites/createInvites.ts';
import { createHandler } from '../../src/staff/people/createAccount.ts';
import { aliasExists } from '../../src/staff/staff.store.ts';
import type { Reply, TestServer } from './harness.ts';

/** Test users: a visitor's browser that keeps its cookie, and staff. */

export const PASSWORD = 'a password for tests';
export const csrf = () => String(Date.now());

export class Browser {
  readonly #server: TestServer;
  cookies: Record<string, string> = {};
  token = '';
  visitorId = '';

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** The sign-in that the page does at the start and after every claim and attach. */
  async signIn(): Promise<Reply> {
    const reply = await this.call('POST', '/auth/anonymous');
    this.token = reply.body.idToken;
    this.visitorId = reply.body.visitorId;
    return reply;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const cookie = Object.entries(this.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const reply = await this.#server.request(method, path, {
      headers,
      ...(body !== undefined && { body }),
      ...(cookie !== '' && { cookie }),
      ...(this.token !== '' && { token: this.token }),
    });
    Object.assign(this.cookies, reply.cookies);
    return reply;
  }

  claim(token: string): Promise<Reply> {
    return this.call('POST', '/claimInvite', { token, csrf: csrf() });
  }

  attach(token: string, code: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call('POST', '/attachInvite', { token, code, csrf: csrf() }, headers);
  }

  canRead(conversationId: string): Promise<boolean> {
    return this.call('GET', `/conversations/${conversationId}`).then((reply) => reply.status === 200);
  }

  /** Another tab or a thief: the same cookies and token, separate from now on. */
  copy(): Browser {
    const copy = new Browser(this.#server);
    copy.cookies = { ...this.cookies };
    copy.token = this.token;
    copy.visitorId = this.visitorId;
    return copy;
  }
}

export async function openBrowser(server: TestServer): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn();
  return browser;
}

/** An invite's token. Creates the desk if it does not exist. */
export async function invite(server: TestServer, alias = 'mara-east', days = 30): Promise<string> {
  if (!(await aliasExists(server.app.db, alias))) {
    await server.app.db.pool.query('insert into handlers (alias) values ($1) on conflict do nothing', [
      alias,
    ]);
  }
  const { link } = await createInvite(server.app, { alias, days }, 'test');
  return link.slice(link.lastIndexOf('/') + 1);
}

/** A visitor who claimed an invite and signed in again, as the page does. */
export async function claimed(server: TestServer, token?: string) {
  const used = token ?? (await invite(server));
  const browser = await openBrowser(server);
  const { body } = await browser.claim(used);
  await browser.signIn();
  return {
    browser,
    token: used,
    conversationId: body.conversationId as string,
    code: body.continueCode as string,
  };
}

export async function handler(server: TestServer, alias = 'mara-east'): Promise<{ email: string }> {
  const email = `handler.${randomUUID()}@settee.example`;
  await createHandler(server.app, { alias, email, name: 'Handler', password: PASSWORD }, 'test');
  return { email };
}

export async function signedInHandler(server: TestServer, alias = 'mara-east'): Promise<Browser> {
  const { email } = await handler(server, alias);
  const browser = new Browser(server);
  const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  browser.token = reply.body.idToken;
  return browser;
}
