import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { VisitorDown } from '@settee/protocol/frames/down';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Browser } from '../support/browser.ts';
import { buildPages } from '../support/builtPages.ts';
import { type Canaries, hiddenStaff, Recorder, received, scanner, WORDS } from '../support/firewall.ts';
import type { TestServer } from '../support/harness.ts';
import { mailSettings } from '../support/mailWorld.ts';
import { png, upload, workFor } from '../support/pictures.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';
import { addressOf, ask } from './ask.ts';
import { ruleOf } from './calls.ts';
import { OTHER_DESK, type StaffCallers, type Stage, setStage } from './stage.ts';
import { routeRules, WHO } from './who.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const pages = buildPages();
const recorder = new Recorder();
let world: PushWorld;
let watched: TestServer;
let staff: StaffCallers;
let canaries: Canaries;
beforeAll(async () => {
  const config = {
    webRoot: pages.folder,
    lookupsPerMinute: 10_000,
    codesPerHour: 10_000,
    socketsPerVisitor: 20,
    mail: mailSettings({ SMTP_URL: 'smtp://127.0.0.1:1' }),
  };
  world = await startPushWorld({ config });
  watched = recorder.listening(world.server);
  ({ staff, canaries } = await hiddenStaff(world.server));
});
afterAll(async () => {
  await world.stop();
  pages.remove();
});

/** A stage whose visitors' responses are all recorded. */
const watchedStage = async (): Promise<Stage> => ({
  ...(await setStage({ ...world, server: watched }, staff)),
  server: watched,
});

/** Calls that need a secret that no visitor has, each with a wrong secret. */
const STAFF_DOORS: Partial<Record<CallName, unknown>> = {
  signInStaff: { email: 'zebedee.q@hidden-house.example', password: 'not the right one' },
  confirmSignIn: { ticket: 'x', proof: { method: 'totp', code: '000000' } },
  openPasswordLink: { token: 'x' },
  choosePassword: { token: 'x', password: 'long enough a password' },
};

/** Makes every call as its intended caller and as others: successful, refused and invalid. */
async function askEverything(stage: Stage): Promise<void> {
  for (const name of Object.keys(calls) as CallName[]) {
    const call: Call = calls[name];
    const rule = ruleOf(name);
    if (name in STAFF_DOORS) {
      const { status } = await stage.people.visitor.call(call.method, call.path, STAFF_DOORS[name]);
      expect(status).toBeGreaterThan(399);
      continue;
    }
    const expected = { ...WHO[rule.who], ...rule.but }.visitor;
    const on = rule.spends && expected === 'ok' ? await watchedStage() : stage;
    const { visitor, otherVisitor } = on.people;
    const reply = await ask(call, rule, on, 'visitor');
    // It must succeed for visitors, or there would be nothing to scan.
    expect([name, reply.status < 300]).toEqual([name, expected === 'ok']);
    const address = await addressOf(call, rule, on, 'visitor');
    await otherVisitor.call(call.method, address);
    const wrong = call.method === 'GET' ? undefined : { unknown: true };
    const nowhere = call.path.replaceAll(/:[a-zA-Z]+/g, randomUUID());
    await new Browser(watched).call(call.method, address, wrong);
    for (const asked of [address, `${address}?unknown=1`, nowhere])
      await visitor.call(call.method, asked, wrong);
  }
}

/** Everything that staff can do to a conversation while the visitor watches, until it is erased. */
async function liveThrough(stage: Stage): Promise<void> {
  const { conversationId, inviteId, people } = stage;
  const { visitor, handler, otherHandler, admin } = people;
  const path = `/conversations/${conversationId}`;
  await world.subscribe(visitor, 'the-visitor');
  const tap = await recorder.tap(world.server, visitor.browser.token, PROTOCOL_VERSION);
  await received(tap, 'welcome');
  tap.send({ type: 'watch', conversationId });
  await received(tap, 'watched');
  tap.send({ type: 'ping' });
  tap.send({ type: 'range', conversationId, after: 0 });
  tap.send({ type: 'watchQueue' });
  tap.send({ type: 'nonsense' });
  tap.send({ type: 'watch', conversationId: randomUUID() });
  tap.send({ type: 'send', conversationId, id: randomUUID(), text: 'hello?' });
  for (const type of ['pong', 'messages', 'refused', 'ack']) await received(tap, type);

  const desk = await handler.live();
  desk.send({ type: 'watch', conversationId });
  await desk.next('watched');
  desk.send({ type: 'attend', conversationId, doing: 'replying' });
  desk.send({ type: 'typing', conversationId });
  desk.send({ type: 'seen', conversationId, seq: 2 });
  await received(tap, 'typing');
  await received(tap, 'conversation');
  await handler.call('POST', `${path}/messages`, { id: randomUUID(), text: 'Good morning.' });
  await received(tap, 'message');
  await world.deliver();

  const jobs = await workFor(world.server);
  const photo = await sharp(await png())
    .jpeg()
    .withExif({ IFD0: { Artist: WORDS.exif } })
    .toBuffer();
  const file = { image: photo, type: 'image/jpeg', fileName: `${WORDS.fileName}.jpg` };
  const mediaId = await upload(handler, conversationId, file);
  await jobs.stop();
  expect((await handler.call('POST', `${path}/media/${mediaId}/message`, { id: randomUUID() })).status).toBe(
    200,
  );
  const shown = await visitor.call('GET', `${path}/media/${mediaId}`);
  const bytes = await recorder.fetched('the owner’s picture', shown.body.url);
  expect((await sharp(bytes).metadata()).format).toBe('jpeg');

  await handler.call('POST', `${path}/notes`, { id: randomUUID(), text: WORDS.note });
  await handler.call('PUT', `${path}/unread`, { unread: true });
  await admin.call('PUT', `/manage/invites/${inviteId}`, { label: WORDS.label, keepDays: 30 });
  await handler.call('PUT', `${path}/status`, { status: 'blocked', reason: WORDS.blockReason, hours: 24 });
  await lookBehindTheCurtain(stage);
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: 'may I?' });
  await visitor.call('GET', path);
  await handler.call('PUT', `${path}/status`, { status: 'open', reason: WORDS.unblockReason });
  await handler.call('POST', `${path}/transfer`, { alias: OTHER_DESK, note: WORDS.handover });
  await otherHandler.call('POST', `${path}/messages`, { id: randomUUID(), text: 'I take over.' });
  await admin.call('POST', `/manage/invites/${inviteId}/continueCode`);
  await handler.call('PUT', '/handlers/me/availability', { away: true });
  await admin.call('PUT', '/manage/profile', { displayName: 'Mara Lindqvist' });
  await received(tap, 'brand');
  desk.close();
  await received(tap, 'presence');
  await world.deliver();
  for (const asked of ['', '/messages', '/export']) await visitor.call('GET', path + asked);
  await lookBehindTheCurtain(stage);
  await admin.call('DELETE', `/manage/conversations/${conversationId}?reason=asked`);
  await received(tap, 'gone');
  tap.close();
  const pushes = world.service.received('the-visitor');
  expect(pushes.length).toBeGreaterThan(1);
  for (const { payload, headers } of pushes) {
    recorder.saw('push payload', JSON.stringify(payload));
    recorder.saw('push headers', JSON.stringify(headers));
  }
}

/** What staff receive meanwhile: proof that the scanner could have found everything. */
const staffSaw = new Recorder();
async function lookBehindTheCurtain({ conversationId }: Stage): Promise<void> {
  const behind = staffSaw.listening(world.server);
  for (const caller of ['handler', 'otherHandler', 'admin'] as const) {
    const browser = Object.assign(new Browser(behind), { token: staff[caller].browser.token });
    staffSaw.saw(`token of ${caller}`, browser.token);
    for (const asked of ['', '/details', '/notes'])
      await browser.call('GET', `/conversations/${conversationId}${asked}`);
    for (const asked of [
      '/replies',
      '/manage/staff',
      '/manage/audit',
      '/manage/invites',
      '/account',
      '/desks',
    ]) {
      await browser.call('GET', asked);
    }
  }
}

test('[PRIVACY-15] nothing that a visitor can reach reveals who answers: calls, frames, pushes, pages, images, headers', async () => {
  const scan = scanner(canaries);
  await liveThrough(await watchedStage());
  await askEverything(await watchedStage());
  const assets = readdirSync(join(pages.folder, 'assets'));
  const brand = (await new Browser(watched).call('GET', '/brand')).body.brand;
  for (const [pattern, { at }] of Object.entries(routeRules)) {
    if (!pattern.startsWith('GET')) continue;
    for (const asset of at.includes('{asset}') ? assets : ['']) {
      const address = at
        .replace('{asset}', asset)
        .replace('{avatar}', brand.avatarUrl ?? '/brand/avatar/none')
        .replace('{unsubscribe}', '/mail/off/none');
      await recorder.fetched(`GET ${address}`, world.server.url + address);
    }
  }

  // The test covered everything: each type of frame, each kind of response.
  expect([...recorder.frames].sort()).toEqual(
    [...new Set(VisitorDown.options.map(({ entries }) => entries.type.literal))].sort(),
  );
  expect(recorder.seen.length).toBeGreaterThan(1_000);
  expect(recorder.seen.flatMap(({ where, content }) => scan(where, content))).toEqual([]);

  // There was something to find: staff received all of these but file name and metadata, which no response has.
  const found = new Set(
    staffSaw.seen.flatMap(({ where, content }) => scan(where, content)).map(({ what }) => what),
  );
  const kept = ['fileName', 'exif'];
  expect(Object.keys(canaries).filter((what) => !found.has(what) && !kept.includes(what))).toEqual([]);
});

test('[PRIVACY-15] a text is found in every form, and an innocent one is not', () => {
  const id = '3f2b1c9a-7d54-4e0b-9a61-0c5d8e7f1a2b';
  const scan = scanner({ name: 'Zebedee Quill', id });
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const hidden = [
    'BY ZEBEDEE QUILL',
    '/x?name=Zebedee%20Quill',
    'lliuQ eedebeZ',
    Buffer.from('..Zebedee Quill').toString('hex'),
    ...['', 'a', 'ab'].flatMap((before) => [
      Buffer.from(`${before}Zebedee Quill!`).toString('base64'),
      Buffer.concat([Buffer.from(before), bytes]).toString('base64url'),
    ]),
    id.toUpperCase(),
    Buffer.concat([Buffer.from([0xff]), bytes, Buffer.from([0xd8])]),
    Buffer.from(bytes.toReversed()),
    Buffer.from(JSON.stringify({ sub: id })).toString('base64url'),
  ];
  for (const content of hidden) expect(scan('hidden', content), String(content)).not.toEqual([]);
  for (const innocent of ['Zebedee', 'a quill', id.slice(0, 20)])
    expect(scan('innocent', innocent)).toEqual([]);
});
