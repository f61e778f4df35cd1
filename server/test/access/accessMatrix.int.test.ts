import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unsubscribeToken } from '../../src/mail/mailSecrets.ts';
import { buildPages } from '../support/builtPages.ts';
import { LiveClient } from '../support/client.ts';
import { settled } from '../support/people.ts';
import type { PushWorld } from '../support/pushWorld.ts';
import { ask, staleOf, unknownOf } from './ask.ts';
import { type CallRule, ruleOf } from './calls.ts';
import {
  CALLERS,
  type CallerName,
  createCallers,
  type StaffCallers,
  type Stage,
  setStage,
  stageFor,
  startAccessWorld,
} from './stage.ts';
import { ACCEPTED, ADMITTED, type Admitted, type Expected, frameRules, routeRules, WHO } from './who.ts';

const pages = buildPages();
let world: PushWorld;
let staff: StaffCallers;
let shared: Stage;
beforeAll(async () => {
  world = await startAccessWorld({
    webRoot: pages.folder,
    socketsPerVisitor: 20,
  });
  staff = await createCallers(world.server);
  shared = await setStage(world, staff);
});
afterAll(async () => {
  await world.stop();
  pages.remove();
});

function answered(status: number): Expected {
  return status >= 200 && status < 300 ? 'ok' : status;
}

describe('calls', () => {
  test.each(Object.keys(calls) as CallName[])('[AUTH-08] [P-03] [P-05] %s', async (name) => {
    const call: Call = calls[name];
    const rule = ruleOf(name);
    const expected: Record<CallerName, Expected> = { ...WHO[rule.who], ...rule.but };
    const got: Partial<Record<CallerName, Expected>> = {};
    for (const caller of CALLERS) {
      const isAccepted = expected[caller] === 'ok';
      const stage = isAccepted ? await stageFor(rule, shared, caller) : shared;
      got[caller] = answered((await ask(call, rule, stage, caller)).status);
    }
    expect(got).toEqual(expected);
  });
});

describe('routes', () => {
  const patterns = () =>
    world.server.served
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
  const callPatterns = new Set(Object.values(calls).map(({ method, path }) => `${method} ${path}`));
  const others = () => patterns().filter((pattern) => !callPatterns.has(pattern));

  test('[AUTH-08] the tables list everything that HTTP serves, and nothing else', () => {
    // Fastify's own route list, so that nothing is missed: calls, pages, files, images.
    expect(patterns()).toEqual(expect.arrayContaining([...callPatterns]));
    expect(unknownOf('route', others(), routeRules)).toEqual([]);
    expect(staleOf(others(), routeRules)).toEqual([]);
  });

  test('[AUTH-08] each page and file is the same for everyone, and an image needs its signature', async () => {
    const [asset = ''] = readdirSync(join(pages.folder, 'assets')).filter((name) => name.endsWith('.js'));
    expect((await ask(calls.setAvatar, ruleOf('setAvatar'), shared, 'admin')).status).toBe(200);
    const { avatarUrl } = (await shared.people.anonymous.call('GET', '/brand')).body.brand;
    const token = unsubscribeToken(shared.server.app, shared.conversationId);
    const filled = (at: string) =>
      at
        .replace('{asset}', asset)
        .replace('{avatar}', avatarUrl)
        .replace('{unsubscribe}', `/mail/off/${token}`);
    for (const [pattern, { who, at }] of Object.entries(routeRules)) {
      const [method = ''] = pattern.split(' ');
      const seen = new Set<string>();
      const got: Partial<Record<CallerName, Expected>> = {};
      for (const caller of CALLERS) {
        const reply = await shared.people[caller].call(method, filled(at));
        got[caller] = answered(reply.status);
        seen.add(JSON.stringify(reply.body));
      }
      expect([pattern, got]).toEqual([pattern, WHO[who]]);
      expect([pattern, seen.size]).toEqual([pattern, 1]);
    }
  });
});

describe('frames', () => {
  const types = Up.options.map(({ entries }) => entries.type.literal);
  const observers = ['visitor', 'handler', 'admin'] as const;

  test('[AUTH-08] the table lists every frame, and nothing else', () => {
    expect(unknownOf('frame', types, frameRules)).toEqual([]);
    expect(staleOf(types, frameRules)).toEqual([]);
  });

  /** A socket of this caller that has tried to watch the conversation and a queue. */
  async function arrive(stage: Stage, caller: Admitted): Promise<LiveClient> {
    const socket = await stage.people[caller].live();
    socket.send({ type: 'watch', conversationId: stage.conversationId });
    socket.send({ type: 'watchQueue' });
    await settled(socket);
    return socket;
  }

  async function answerTo(type: Up['type'], caller: Admitted) {
    const rule = frameRules[type];
    if (rule === undefined) throw new Error(`no rule for ${type}`);
    const accepted = ACCEPTED[rule.who].includes(caller);
    const stage = rule.spends && accepted ? await setStage(world, staff) : shared;
    const watching = await Promise.all(
      observers.filter((each) => each !== caller).map((each) => arrive(stage, each)),
    );
    const socket = await arrive(stage, caller);
    for (const each of [socket, ...watching]) each.received.length = 0;
    socket.send(rule.frame(stage, caller));
    const { answer, noticed } = rule;
    if (accepted && answer)
      await socket.until(() => socket.received.some((frame) => answer(frame, stage)), 'no answer');
    const noticing = () =>
      watching.some((each) => noticed && each.received.some((frame) => noticed(frame, stage)));
    if (accepted && noticed) await socket.until(noticing, 'nobody noticed');
    if (!accepted && !rule.silent) await socket.next('refused');
    if (type !== 'ping') await settled(socket);
    for (const each of watching) await settled(each);
    const outcome = {
      refused: socket.received.some((frame) => frame.type === 'refused'),
      answered: answer ? socket.received.some((frame) => answer(frame, stage)) : accepted,
      noticed: noticing(),
    };
    for (const each of [socket, ...watching]) each.close();
    return {
      accepted,
      outcome,
      expected: { refused: false, answered: accepted, noticed: accepted && noticed !== undefined },
    };
  }

  test.each(types)('[AUTH-08] %s', async (type) => {
    for (const caller of ADMITTED) {
      const { outcome, expected } = await answerTo(type, caller);
      expect([type, caller, outcome]).toEqual([type, caller, expected]);
    }
  });

  test('without a valid token no socket sends or receives anything', async () => {
    const refused = async (caller: CallerName, frames: Up[]): Promise<void> => {
      const socket = new LiveClient(world.server.url, world.server.app.config.publicUrl);
      await socket.opened();
      for (const frame of frames) socket.send(frame);
      await socket.until(() => socket.closed !== undefined, `${caller} may send ${frames.at(-1)?.type}`);
      expect([caller, frames, socket.received]).toEqual([caller, frames, []]);
    };
    // Another caller's hello would admit that caller.
    for (const type of types.filter((each) => each !== 'hello')) {
      const frame = frameRules[type]?.frame(shared, 'visitor');
      if (frame !== undefined) await refused('visitor', [frame]);
    }
    for (const caller of CALLERS.filter((each) => !(ADMITTED as readonly string[]).includes(each))) {
      const { token } = shared.people[caller].browser;
      const watch: Up = { type: 'watch', conversationId: shared.conversationId };
      await refused(caller, [{ type: 'hello', version: PROTOCOL_VERSION, token }, watch]);
    }
  });
});

/** PostgreSQL text cannot contain NUL; a lone surrogate is not a valid character in JSON. */
const [NUL, HALF] = ['\u0000', '\uD800'];

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

// The last ones: they change everything on their stage.
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(world, staff);
});

test.each(Object.keys(calls) as CallName[])(
  '[API-02] %s handles characters that no keyboard types',
  async (name) => {
    const rule: CallRule = { ...ruleOf(name), ...MORE[name] };
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
  },
);
