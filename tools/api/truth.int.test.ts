import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../protocol/src/calls/call.ts';
import { type CallName, calls } from '../../protocol/src/calls/http.ts';
import { addressOf, ask } from '../../server/test/access/ask.ts';
import { type CallRule, ruleOf } from '../../server/test/access/calls.ts';
import {
  CALLERS,
  type CallerName,
  createCallers,
  type StaffCallers,
  type Stage,
  setStage,
  stageFor,
  startAccessWorld,
} from '../../server/test/access/stage.ts';
import { WHO } from '../../server/test/access/who.ts';
import type { Reply } from '../../server/test/support/harness.ts';
import type { PushWorld } from '../../server/test/support/pushWorld.ts';
import { readInstallationId, setupCode } from '../../server/testing/installation.ts';
import { refusalsOf } from './callers.ts';
import type { Operation } from './openapi.ts';
import type { Json } from './schemas.ts';
import { api, breaches, closed, strict } from './validating.ts';

vi.setConfig({ hookTimeout: 240_000 });

const operations = new Map(
  Object.values(api.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation] as const),
  ),
);
const operationOf = (name: CallName) => operations.get(name) as Operation;

const components = api.components.schemas as Record<string, Json>;

const closedAnswer = (name: CallName) =>
  strict(operationOf(name).responses['200']?.content?.['application/json']?.schema);

function answerBreaches(name: CallName, { body }: Reply): string[] {
  return breaches(`answer of ${name}`, closedAnswer(name), body, closed.components);
}

let world: PushWorld;
let staff: StaffCallers;
let shared: Stage;
let firstRun: Reply;
beforeAll(async () => {
  world = await startAccessWorld();
  const { app, request } = world.server;
  const code = setupCode(app.config, await readInstallationId(app.db));
  firstRun = await request('POST', '/setup', {
    body: { code, name: 'Ada Berg', email: 'ada@settee.example', password: 'a password that is long enough' },
  });
  staff = await createCallers(world.server);
  shared = await setStage(world, staff);
});
afterAll(() => world.stop());

/** One caller of each kind that may call, and one for each refusal. */
function askedBy(rule: CallRule): { caller: CallerName; done: boolean }[] {
  const expected = { ...WHO[rule.who], ...rule.but };
  const kinds: CallerName[] = ['visitor', 'handler', 'admin', 'anonymous', 'unverified'];
  const may = kinds
    .filter((caller) => expected[caller] === 'ok')
    .slice(0, rule.spends || rule.ownAccount ? 1 : 3);
  const statuses = new Set(Object.values(expected).filter((answer) => answer !== 'ok'));
  const not = [...statuses].map((status) => CALLERS.find((caller) => expected[caller] === status));
  return [
    ...may.map((caller) => ({ caller, done: true })),
    ...not.filter((caller) => caller !== undefined).map((caller) => ({ caller, done: false })),
  ];
}

const names = Object.keys(calls) as CallName[];

describe('answers', () => {
  test.each(names)('[API-01] %s answers exactly what is described', async (name) => {
    const rule = ruleOf(name);
    for (const { caller, done } of askedBy(rule)) {
      const stage = done ? await stageFor(rule, shared, caller) : shared;
      const reply = await ask(calls[name], rule, stage, caller);
      if (done) {
        expect([caller, reply.status, answerBreaches(name, reply)]).toEqual([caller, 200, []]);
        continue;
      }
      const described = operationOf(name).responses[String(reply.status)];
      expect([caller, reply.status, described === undefined]).toEqual([caller, reply.status, false]);
      const { code } = reply.body as { code?: string };
      if (code === undefined) expect(calls[name]).toHaveProperty('refused');
      else expect([caller, refusalsOf(calls[name])]).toEqual([caller, expect.arrayContaining([code])]);
    }
  });

  test('[API-01] the first setup answers what is described', () => {
    expect([firstRun.status, answerBreaches('setUp', firstRun)]).toEqual([200, []]);
  });
});

describe('bodies', () => {
  const asker = (rule: CallRule) => askedBy(rule)[0]?.caller ?? 'anonymous';
  const withBody = names.filter((name) => (calls[name] as Call).body !== undefined);

  test.each(withBody)(
    '[API-02] %s accepts a valid body and refuses invalid ones, as described',
    async (name) => {
      const rule = ruleOf(name);
      const caller = asker(rule);
      const person = shared.people[caller];
      const call: Call = calls[name];
      const schema = operationOf(name).requestBody?.content['application/json']?.schema as Json;
      const right = await rule.body?.(shared, caller);
      expect(breaches(`body of ${name}`, schema, right)).toEqual([]);
      const address = await addressOf(call, rule, shared, caller);
      // tools/fuzz sends many more.
      const resolved = components[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
      const wrong: Record<string, unknown>[] = [
        { ...(right as object), surplus: 1 },
        ...(resolved.required ?? []).map((field) => ({ ...(right as object), [field]: undefined })),
      ];
      for (const value of wrong) {
        const why = JSON.stringify(value);
        expect([why, breaches(`body of ${name}`, schema, JSON.parse(why)).length > 0]).toEqual([why, true]);
        const { status, body } = await person.call(call.method, address, value);
        expect([why, status, body.code]).toEqual([why, 400, 'bad_request']);
      }
    },
  );

  const withQuery = names.filter((name) => (calls[name] as Call).query !== undefined);

  test.each(withQuery)('[API-02] %s accepts only the described parameters', async (name) => {
    const rule = ruleOf(name);
    const caller = asker(rule);
    const address = await addressOf(calls[name], rule, shared, caller);
    const separator = address.includes('?') ? '&' : '?';
    const { status, body } = await shared.people[caller].call(
      calls[name].method,
      `${address}${separator}surplus=1`,
    );
    expect([status, body.code]).toEqual([400, 'bad_request']);
  });
});
