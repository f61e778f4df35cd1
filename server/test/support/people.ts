import { randomUUID } from 'node:crypto';
import { createAdmin } from '../../src/staff/people/createAccount.ts';
import { Browser, invite, openBrowser, PASSWORD, signedInHandler } from './browser.ts';
import { LiveClient } from './client.ts';
import type { Reply, TestServer } from './harness.ts';

/** A person with a token, who makes calls and opens sockets. */
export type Person = {
  browser: Browser;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  live(url?: string): Promise<LiveClient>;
};

export function personOf(server: TestServer, browser: Browser): Person {
  return {
    browser,
    call: (method, path, body) => browser.call(method, path, body),
    live: (url = server.url) => LiveClient.open(url, server.app.config.publicUrl, browser.token),
  };
}

export async function createVisitor(server: TestServer): Promise<Person> {
  return personOf(server, await openBrowser(server));
}

export async function createStaff(server: TestServer, alias: string): Promise<Person> {
  return personOf(server, await signedInHandler(server, alias));
}

export async function createAdministrator(server: TestServer): Promise<Person> {
  const email = `admin.${randomUUID()}@settee.example`;
  await createAdmin(server.app, { email, name: 'Admin', password: PASSWORD }, 'test');
  const browser = new Browser(server);
  const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  browser.token = reply.body.idToken;
  await vouchFor(server, email);
  return personOf(server, browser);
}

/** Marks this person's sessions as verified with a second factor. Other tests cover access without one. */
export async function vouchFor(server: TestServer, email: string): Promise<void> {
  await server.app.db.pool.query(
    `update staff_sessions set second_factor_at = now()
     where staff_id = (select id from staff where email = $1)`,
    [email],
  );
}

/** Moves the first sign-in to more than seven days ago. */
export async function endGrace(server: TestServer, email: string): Promise<void> {
  await server.app.db.pool.query(
    `update staff set grace_from = now() - interval '7 days 1 second' where email = $1`,
    [email],
  );
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
    visitor: personOf(server, browser),
    conversationId: body.conversationId as string,
    token,
    code: body.continueCode as string,
  };
}

/** Sends over the socket and waits for the ack. */
export async function sendOver(
  socket: LiveClient,
  conversationId: string,
  text: string,
  id: string = randomUUID(),
) {
  socket.send({ type: 'send', conversationId, id, text });
  return socket.next('ack', (ack) => ack.id === id);
}

/** Opens a socket that watches the conversation. Returns it with the first snapshot. */
export async function watchAs(person: Person, conversationId: string, url?: string) {
  const socket = await person.live(url);
  socket.send({ type: 'watch', conversationId });
  return { socket, watched: await socket.next('watched') };
}

/** Opens a socket that watches the queue of the person's desk. Returns it with the first rows. */
export async function watchQueue(person: Person, url?: string) {
  const socket = await person.live(url);
  socket.send({ type: 'watchQueue' });
  return { socket, rows: (await socket.next('queue')).rows };
}

/** Waits until the socket has received everything sent before. */
export async function settled(socket: LiveClient): Promise<void> {
  socket.send({ type: 'ping' });
  await socket.next('pong');
}

/** Writes into a conversation with a call. */
export function say(person: Pick<Person, 'call'>, conversationId: string, text = 'hello') {
  return person.call('POST', `/conversations/${conversationId}/messages`, { id: randomUUID(), text });
}
