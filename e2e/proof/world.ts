import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as invitesModule from '../../server/src/actions/invite/createInvites.ts';
import type * as handlersModule from '../../server/src/actions/staff/createAccount.ts';
import type * as systemModule from '../../server/src/adapters/system.ts';
import type * as configModule from '../../server/src/config/config.ts';
import type * as databaseModule from '../../server/src/db/engine/database.ts';

const PASSWORD = 'a password for the fault suite';
const AT_ONCE = 6;

/** A conversation with two devices of its visitor, each with its own ID token. */
export type Chat = { id: string; firstToken: string; secondToken: string; first: Browser; second: Browser };
export type Desk = { alias: string; token: string; handler: Browser; chats: Chat[] };

type Where = {
  /** The folder of the release that created the database. It also creates the people. */
  build: string;
  /** The environment of the gateway. */
  env: Record<string, string>;
  /** The gateway to sign in at. Tokens of the one with the fast clock are valid at the other one too. */
  port: number;
  desks: number;
  chatsPerDesk: number;
  /** The start of the desks' names. */
  prefix?: string;
};

/** Creates handlers, and visitors who claimed an invite and added a second device. */
export async function createWorld(where: Where): Promise<Desk[]> {
  const { build, env, port, desks, chatsPerDesk, prefix = 'desk' } = where;
  const { createHandler, createInvite, systemRandom, readConfig, openDatabase } = await serverOf(build);
  const config = readConfig(env);
  const db = openDatabase(config.databaseUrl, AT_ONCE);
  const app = { config, db, random: systemRandom };
  try {
    return await inParallel(desks, async (number) => {
      const alias = `${prefix}-${number}`;
      await createHandler(
        app,
        { alias, email: emailOf(alias), name: 'Handler', password: PASSWORD },
        'faults',
      );
      const handler = new Browser(config.publicUrl, port);
      await handler.open(`/handler?cell=${config.cell}`);
      await signInAt(alias, handler);
      const chats: Chat[] = [];
      for (let count = 0; count < chatsPerDesk; count += 1) {
        const { link } = await createInvite(app, { alias }, 'faults');
        chats.push(await openChat(config.publicUrl, port, link.slice(link.lastIndexOf('/') + 1)));
      }
      return { alias, token: handler.token, handler, chats };
    });
  } finally {
    await db.close();
  }
}

/** An administrator whose session counts as confirmed with a second factor. */
export async function createAdministrator(
  where: Pick<Where, 'build' | 'env' | 'port'>,
  name: string,
): Promise<Browser> {
  const { createAdmin, readConfig, openDatabase } = await serverOf(where.build);
  const config = readConfig(where.env);
  const db = openDatabase(config.databaseUrl, 1);
  try {
    const email = emailOf(name);
    await createAdmin({ db }, { email, name: 'Administrator', password: PASSWORD }, 'faults');
    const browser = new Browser(config.publicUrl, where.port);
    await signInAt(name, browser);
    await db.pool.query(
      `update staff_sessions set second_factor_at = now() where staff_id = (select id from staff where email = $1)`,
      [email],
    );
    return browser;
  } finally {
    await db.close();
  }
}

function emailOf(alias: string): string {
  return `${alias}@settee.example`;
}

/** Signs the handler of this desk in with the password. */
export function signInAt(alias: string, handler: Browser): Promise<object> {
  return handler.call('/auth/staff/sign-in', { email: emailOf(alias), password: PASSWORD });
}

async function serverOf(build: string) {
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(join(build, 'server/src', file)).href);
  return Object.assign(
    {},
    ...(await Promise.all(
      [
        'actions/staff/createAccount.ts',
        'actions/invite/createInvites.ts',
        'adapters/system.ts',
        'config/config.ts',
        'db/engine/database.ts',
      ].map(load),
    )),
  ) as typeof handlersModule &
    typeof invitesModule &
    typeof systemModule &
    typeof configModule &
    typeof databaseModule;
}

async function openChat(origin: string, port: number, token: string): Promise<Chat> {
  const first = new Browser(origin, port);
  await first.open(`/i/${token}`);
  await first.call('/auth/anonymous');
  const claimed = await first.call('/claimInvite', { token, csrf: String(Date.now()) });
  // A claim and an attach replace the secret in the cookie, so a new token is needed.
  await first.call('/auth/anonymous');
  const second = new Browser(origin, port);
  await second.open(`/i/${token}`);
  await second.call('/auth/anonymous');
  await second.call('/attachInvite', { token, code: claimed.continueCode, csrf: String(Date.now()) });
  await second.call('/auth/anonymous');
  const id = String(claimed.conversationId);
  return { id, firstToken: first.token, secondToken: second.token, first, second };
}

/**
 * For calls that nobody repeats. A server closes an idle connection, and after a stall of the machine a call could
 * still use it.
 */
export const ONE_USE = { connection: 'close' };
/** A page gives up a call too, and tries again. */
const ANSWER_WITHIN_MS = 60_000;

/** An answer without success. `code` is empty if it is not from Settee. */
export class Refused extends Error {
  readonly code: string;

  constructor(path: string, status: number, code: string) {
    super(`${path} answered ${status} ${code}`);
    this.code = code;
  }
}

/** Keeps cookies and the newest ID token, like a browser. */
export class Browser {
  token = '';
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #port: number;

  constructor(origin: string, port: number) {
    this.#origin = origin;
    this.#port = port;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Visits a page. A router sets its cookie then. Returns the status. */
  async open(path: string): Promise<number> {
    const response = await this.#fetch(path, { accept: 'text/html' });
    await response.text();
    return response.status;
  }

  async #fetch(
    path: string,
    headers: Record<string, string>,
    request: RequestInit & { port?: number } = {},
  ): Promise<Response> {
    const { port = this.#port } = request;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...request,
      headers: { ...headers, ...ONE_USE, cookie: this.cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** `port`: another gateway than usual. */
  async call(
    path: string,
    body?: object,
    method = 'POST',
    where: { port?: number; signal?: AbortSignal } = {},
  ): Promise<Record<string, unknown>> {
    const headers = {
      origin: this.#origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
    };
    const sent = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await this.#fetch(path, headers, { ...sent, ...where });
    const answer = (await response.json()) as Record<string, unknown> & { code?: string };
    if (answer.success !== true) throw new Refused(path, response.status, answer.code ?? '');
    if (typeof answer.idToken === 'string') this.token = answer.idToken;
    return answer;
  }
}

async function inParallel<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      made[number] = await make(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}
