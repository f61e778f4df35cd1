import { type CallName, calls } from '@settee/protocol/calls/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './access/ask.ts';
import { CALLERS, createCallers, type StaffCallers } from './access/callers.ts';
import { callRules } from './access/calls.ts';
import type { CallRule } from './access/rule.ts';
import { type Stage, setStage } from './access/stage.ts';
import { WHO } from './access/who.ts';
import { type PushWorld, startPushWorld } from './pushWorld.ts';

/** PostgreSQL text cannot contain NUL; a lone surrogate is not a valid character in JSON. */
const [NUL, HALF] = ['\u0000', '\uD800'];

let world: PushWorld;
let staff: StaffCallers;
let stage: Stage;
beforeAll(async () => {
  world = await startPushWorld({ config: { lookupsPerMinute: 100_000, codesPerHour: 100_000 } });
  staff = await createCallers(world.server);
  stage = await setStage(world, staff);
});
afterAll(() => world.stop());

type Path = (string | number)[];

/** The paths of all texts in a request. */
function textsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

function changed(value: unknown, [at, ...rest]: Path, change: (text: string) => string): unknown {
  if (at === undefined) return change(String(value));
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[at] = changed(copy[at], rest, change);
  return copy;
}

/** Optional fields with valid values. */
const MORE: Partial<Record<CallName, Partial<Pick<CallRule, 'query' | 'body'>>>> = {
  setStatus: { body: () => ({ status: 'blocked', reason: 'spam' }) },
  savePush: { body: ({ newBrowser }) => ({ ...newBrowser(), instead: newBrowser().endpoint }) },
  readInvites: { query: () => ({ search: 'Lyon', alias: 'desk' }) },
  listConversations: { query: () => ({ q: 'hello', alias: 'desk' }) },
  readPeople: { query: () => ({ q: 'hello' }) },
  readAudit: { query: () => ({ q: 'hello', actor: 'x', action: 'x', target: 'x' }) },
  saveProfileSettings: {
    body: () => ({
      displayName: 'Mara',
      disclosure: 'Not always the same person.',
      greeting: 'Hello',
      farewell: 'Bye',
      awayMessage: 'Away',
    }),
  },
  transfer: { body: () => ({ alias: 'zq-copper-desk', note: 'hello' }) },
  setUp: {
    body: () => ({
      code: 'AAAA',
      name: 'X',
      email: 'x@settee.example',
      password: 'long enough a one',
      profileName: 'Mara',
    }),
  },
};

test.each(Object.keys(calls) as CallName[])('%s handles characters that no keyboard types', async (name) => {
  const rule = { ...callRules[name], ...MORE[name] } as CallRule;
  const caller = CALLERS.find((each) => ({ ...WHO[rule.who], ...rule.but })[each] === 'ok') ?? 'anonymous';
  for (const part of ['params', 'query', 'body'] as const) {
    const made = await rule[part]?.(stage, caller);
    for (const path of textsIn(made)) {
      // A path cannot contain a lone surrogate.
      for (const hostile of part === 'params' ? [NUL] : [NUL, HALF]) {
        const twisted = changed(await rule[part]?.(stage, caller), path, (text) => text + hostile);
        const { status } = await ask(calls[name], { ...rule, [part]: () => twisted }, stage, caller);
        expect([part, ...path, hostile, status < 500]).toEqual([part, ...path, hostile, true]);
      }
    }
  }
});
