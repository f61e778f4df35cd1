import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unsubscribeToken } from '../src/auth/mailSecrets.ts';
import { ask } from './access/ask.ts';
import {
  CALLERS,
  type CallerName,
  createCallers,
  createStaffCaller,
  isStaffName,
  type StaffCallers,
} from './access/callers.ts';
import { callRules } from './access/calls.ts';
import { ACCEPTED, ADMITTED, type Admitted, frameRules } from './access/frames.ts';
import { routeRules } from './access/routes.ts';
import type { CallRule } from './access/rule.ts';
import { type Stage, setStage } from './access/stage.ts';
import { staleOf, unknownOf } from './access/unknown.ts';
import { type Expected, WHO } from './access/who.ts';
import { startAccessWorld } from './access/world.ts';
import { buildPages } from './builtPages.ts';
import { LiveClient } from './client.ts';
import type { PushWorld } from './pushWorld.ts';

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

/** The stage and the caller for this call. A refused caller changes nothing, so it can use the shared stage. */
async function stageFor(rule: CallRule, caller: CallerName, expected: Expected): Promise<Stage> {
  const stage = rule.spends && expected === 'ok' ? await setStage(world, staff) : shared;
  if (!rule.ownAccount || expected !== 'ok' || !isStaffName(caller)) return stage;
  return { ...stage, people: { ...stage.people, [caller]: await createStaffCaller(world.server, caller) } };
}

describe('calls', () => {
  test('[AUTH-08] the table lists every call, and nothing else', () => {
    expect(unknownOf('call', Object.keys(calls), callRules)).toEqual([]);
    expect(staleOf(Object.keys(calls), callRules)).toEqual([]);
  });

  test.each(Object.keys(calls) as CallName[])('[AUTH-08] [P-03] [P-05] %s', async (name) => {
    const call: Call = calls[name];
    const rule = callRules[name];
    if (rule === undefined) throw new Error(unknownOf('call', [name], callRules)[0]);
    const expected: Record<CallerName, Expected> = { ...WHO[rule.who], ...rule.but };
    const got: Partial<Record<CallerName, Expected>> = {};
    for (const caller of CALLERS) {
      const stage = await stageFor(rule, caller, expected[caller]);
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
    const setting = callRules.setAvatar;
    if (setting === undefined) throw new Error('nobody sets a picture');
    expect((await ask(calls.setAvatar, setting, shared, 'admin')).status).toBe(200);
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

  async function pong(socket: LiveClient): Promise<void> {
    socket.send({ type: 'ping' });
    await socket.next('pong');
  }

  /** A socket of this caller that has tried to watch the conversation and a queue. */
  async function arrive(stage: Stage, caller: Admitted): Promise<LiveClient> {
    const socket = await stage.people[caller].live();
    socket.send({ type: 'watch', conversationId: stage.conversationId });
    socket.send({ type: 'watchQueue' });
    await pong(socket);
    return socket;
  }

  async function answerTo(type: Up['type'], caller: Admitted) {
    const rule = frameRules[type];
    if (rule === undefined) throw new Error(unknownOf('frame', [type], frameRules)[0]);
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
    if (type !== 'ping') await pong(socket);
    for (const each of watching) await pong(each);
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

  test('[AUTH-08] without a valid token no socket sends or receives anything', async () => {
    const { server } = world;
    for (const caller of CALLERS.filter((each) => !(ADMITTED as readonly string[]).includes(each))) {
      for (const type of types) {
        const frame = frameRules[type]?.frame(shared, caller);
        if (frame === undefined) continue;
        for (const greets of [true, false]) {
          const socket = new LiveClient(server.url, server.app.config.publicUrl);
          await socket.opened();
          const { token } = shared.people[caller].browser;
          if (greets) socket.send({ type: 'hello', version: PROTOCOL_VERSION, token });
          // Another caller's hello would admit that caller, so send this caller's own.
          else if (type === 'hello') socket.send({ type: 'hello', version: PROTOCOL_VERSION, token });
          socket.send(type === 'hello' ? { type: 'ping' } : frame);
          await socket.until(() => socket.closed !== undefined, `${caller} may send ${type}`);
          expect([caller, type, socket.received]).toEqual([caller, type, []]);
        }
      }
    }
  });
});

test('[AUTH-08] an unlisted call, route or frame is found, and the message says where to add it', () => {
  const planted = { ...calls, planted: { method: 'GET', path: '/planted' } };
  expect(unknownOf('call', Object.keys(planted), callRules)).toEqual([
    'The access matrix does not know the call planted: add a line for it to server/test/access/calls.ts.',
  ]);
  const served = [...world.server.served, { method: 'GET', url: '/planted' }];
  const known = Object.fromEntries(served.map(({ method, url }) => [`${method} ${url}`, url]));
  expect(unknownOf('route', Object.keys(known), { ...known, 'GET /planted': undefined })).toEqual([]);
  const { 'GET /planted': _, ...rest } = known;
  expect(unknownOf('route', Object.keys(known), rest)).toEqual([
    'The access matrix does not know the route GET /planted: add a line for it to server/test/access/routes.ts.',
  ]);
  const types = [...Up.options.map(({ entries }) => entries.type.literal), 'planted'];
  expect(unknownOf('frame', types, frameRules)).toEqual([
    'The access matrix does not know the frame planted: add a line for it to server/test/access/frames.ts.',
  ]);
});
