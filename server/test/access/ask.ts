import type { Call } from '@settee/protocol/calls/call';
import { Browser } from '../support/browser.ts';
import type { Reply } from '../support/harness.ts';
import type { Person } from '../support/people.ts';
import type { CallRule } from './calls.ts';
import type { CallerName, Stage } from './stage.ts';

/** Makes a call as this caller. The request is valid in everything else. */
export async function ask(call: Call, rule: CallRule, stage: Stage, caller: CallerName): Promise<Reply> {
  const person = stage.people[caller];
  const address = await addressOf(call, rule, stage, caller);
  if (rule.bytes !== undefined) return sendBytes(stage, person, call.method, address, await rule.bytes());
  const body = await rule.body?.(stage, caller);
  const asking = rule.withoutCookie ? withoutCookie(stage, person) : person;
  return asking.call(call.method, address, body);
}

export async function addressOf(
  { path }: Call,
  rule: CallRule,
  stage: Stage,
  caller: CallerName,
): Promise<string> {
  const params = (await rule.params?.(stage, caller)) ?? {};
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`no value for ${key} in ${path}`);
    return encodeURIComponent(value);
  });
  return rule.query ? `${filled}?${new URLSearchParams(await rule.query(stage, caller))}` : filled;
}

/** The caller with only its token. */
function withoutCookie({ server }: Stage, person: Person): Browser {
  const browser = new Browser(server);
  browser.token = person.browser.token;
  return browser;
}

async function sendBytes(
  { server }: Stage,
  { browser: { token } }: Person,
  method: string,
  address: string,
  bytes: Buffer,
): Promise<Reply> {
  const response = await fetch(server.url + address, {
    method,
    headers: { 'content-type': 'image/png', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: await response.json(), headers: response.headers, cookies: {} };
}

/** Names without a rule, each as a message that says where to add it. */
export function unknownOf(
  kind: 'route' | 'frame',
  there: Iterable<string>,
  known: Record<string, unknown>,
): string[] {
  return [...new Set(there)]
    .filter((name) => !Object.hasOwn(known, name))
    .map(
      (name) =>
        `The access matrix does not know the ${kind} ${name}: add a line for it to server/test/access/who.ts.`,
    );
}

/** Rules for names that no longer exist. */
export function staleOf(there: Iterable<string>, known: Record<string, unknown>): string[] {
  const all = new Set(there);
  return Object.keys(known).filter((name) => !all.has(name));
}
