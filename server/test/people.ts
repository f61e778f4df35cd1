import { type Browser, invite, openBrowser, signedInHandler } from './browser.ts';
import { LiveClient } from './client.ts';
import type { Reply, TestServer } from './harness.ts';

/** Someone with a token: calls over HTTP, and opens sockets. */
export type Person = {
  browser: Browser;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  live(url?: string): Promise<LiveClient>;
};

function person(server: TestServer, browser: Browser): Person {
  return {
    browser,
    call: (method, path, body) => browser.call(method, path, body),
    live: (url = server.url) => LiveClient.open(url, server.app.config.publicUrl, browser.token),
  };
}

export async function createVisitor(server: TestServer): Promise<Person> {
  return person(server, await openBrowser(server));
}

export async function createStaff(server: TestServer, alias: string): Promise<Person> {
  return person(server, await signedInHandler(server, alias));
}

/** A visitor who claimed an invite of this desk. */
export async function createChat(
  server: TestServer,
  alias: string,
): Promise<{ visitor: Person; conversationId: string; token: string; code: string }> {
  const token = await invite(server, alias);
  const browser = await openBrowser(server);
  const { body } = await browser.claim(token);
  await browser.signIn();
  return {
    visitor: person(server, browser),
    conversationId: body.conversationId as string,
    token,
    code: body.continueCode as string,
  };
}
