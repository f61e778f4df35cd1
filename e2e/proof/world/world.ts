import { randomUUID } from 'node:crypto';
import type { Database } from '../topology/installation.ts';
import { settee } from '../topology/releases.ts';

export const PASSWORD = 'a quiet room with a view';
const AT_ONCE = 6;

/** A conversation with two devices of its visitor. */
export type Chat = { id: string; first: Browser; second: Browser };
export type Desk = { alias: string; handler: Browser; chats: Chat[] };

type Where = {
  /** The folder of the release that runs. */
  build: string;
  /** The environment of the gateway. */
  env: Record<string, string>;
  database: Pick<Database, 'run'>;
  /** The gateway to sign in at. Tokens of the one with the fast clock are valid at the other one too. */
  port: number;
};

/** Creates handlers, and visitors who claimed an invite and added a second device. */
export async function createWorld(
  where: Where & {
    desks: number;
    chatsPerDesk: number;
    /** The start of the desks' names. */
    prefix?: string;
    administrator?: Browser;
  },
): Promise<Desk[]> {
  const { desks, chatsPerDesk, prefix = 'desk' } = where;
  const administrator = where.administrator ?? (await createAdministrator(where));
  return inParallel(desks, async (number) => {
    const alias = `${prefix}-${number}`;
    const handler = await createHandler(where, administrator, alias);
    const tokens = await createInvites(administrator, alias, chatsPerDesk);
    const chats: Chat[] = [];
    for (const token of tokens) chats.push(await openChat(where, token));
    return { alias, handler, chats };
  });
}

/** An administrator whose session counts as confirmed with a second factor. */
export async function createAdministrator({ build, env, database, port }: Where): Promise<Browser> {
  const name = `admin-${randomUUID()}`;
  await settee(
    build,
    env,
    ['admin', 'create', '--email', emailOf(name), '--password-stdin'],
    `${PASSWORD}\n`,
  );
  const browser = await arrive({ env, port }, `/admin?cell=${cellOf(env)}`);
  await signInAt(name, browser);
  await database.run(
    'update staff_sessions set second_factor_at = now() where staff_id = (select id from staff where email = $1)',
    [emailOf(name)],
  );
  // The next token says so.
  await browser.call('/auth/staff/refresh', {});
  return browser;
}

async function createHandler(
  where: Pick<Where, 'env' | 'port'>,
  administrator: Browser,
  alias: string,
): Promise<Browser> {
  const handler = await arrive(where, `/handler?cell=${cellOf(where.env)}`);
  const person = { name: 'Handler', email: emailOf(alias), role: 'handler', alias };
  const { link } = await administrator.call('/manage/staff', person);
  const token = String(link).split('#').at(-1);
  await handler.call('/auth/staff/password', { token, password: PASSWORD });
  await signInAt(alias, handler);
  return handler;
}

/** Returns the tokens of new invites. */
export async function createInvites(administrator: Browser, alias: string, count: number): Promise<string[]> {
  const invites = Array.from({ length: count }, () => ({
    id: randomUUID(),
    alias,
    label: 'An invite',
    days: 30,
    keepDays: null,
  }));
  const { links } = await administrator.call('/manage/invites', {
    batchId: randomUUID(),
    attempt: 1,
    invites,
  });
  return (links as { link: string }[]).map(({ link }) => link.slice(link.lastIndexOf('/') + 1));
}

/** A router sets its cookie when a page opens. */
async function arrive({ env, port }: Pick<Where, 'env' | 'port'>, path: string): Promise<Browser> {
  const browser = new Browser(env.PUBLIC_URL ?? '', port);
  await browser.open(path);
  return browser;
}

function cellOf({ CELL = 'a0' }: Record<string, string>): string {
  return CELL;
}

function emailOf(alias: string): string {
  return `${alias}@settee.example`;
}

/** Signs the handler of this desk in with the password. */
export function signInAt(alias: string, handler: Browser): Promise<object> {
  return handler.call('/auth/staff/sign-in', { email: emailOf(alias), password: PASSWORD });
}

async function openChat(where: Pick<Where, 'env' | 'port'>, token: string): Promise<Chat> {
  const first = await arrive(where, `/i/${token}`);
  await first.call('/auth/anonymous');
  const claimed = await first.call('/claimInvite', { token, csrf: String(Date.now()) });
  // A claim and an attach replace the secret in the cookie, so a new token is needed.
  await first.call('/auth/anonymous');
  const second = await arrive(where, `/i/${token}`);
  await second.call('/auth/anonymous');
  await second.call('/attachInvite', { token, code: claimed.continueCode, csrf: String(Date.now()) });
  await second.call('/auth/anonymous');
  return { id: String(claimed.conversationId), first, second };
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
