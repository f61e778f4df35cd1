import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { createChat, createStaff, type Person, personOf, watchAs } from '../support/people.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';

let world: PushWorld;
let handler: Person;
beforeAll(async () => {
  world = await startPushWorld({ config: { lookupsPerMinute: 1_000, codesPerHour: 1_000 } });
  handler = await createStaff(world.server, 'd-desk');
});
afterAll(() => world.stop());

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0' };
const wrong = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
const pool = () => world.server.app.db.pool;

/** A conversation that its first device watches, and the code that the device shows. */
async function watchedChat() {
  const chat = await createChat(world.server, 'd-desk');
  const { socket, watched } = await watchAs(chat.visitor, chat.conversationId);
  expect(watched.conversation).toMatchObject({ continueCode: chat.code, joinedAt: null });
  const devices = `/conversations/${chat.conversationId}/devices`;
  const nextCode = async (than: string) => {
    const { conversation } = await socket.next(
      'conversation',
      (frame) => 'continueCode' in frame.conversation && frame.conversation.continueCode !== than,
    );
    return (conversation as { continueCode: string | null }).continueCode;
  };
  return { ...chat, socket, devices, nextCode };
}

async function join(token: string, code: string): Promise<Person> {
  const browser = await openBrowser(world.server);
  expect((await browser.attach(token, code, FIREFOX)).body).toMatchObject({ success: true });
  await browser.signIn();
  return personOf(world.server, browser);
}

test('the first device shows the code that works: after each use, the next one', async () => {
  const { token, code, socket, nextCode } = await watchedChat();
  let shown: string | null = code;
  for (let turn = 0; turn < 2; turn++) {
    const before: string = shown ?? '';
    await join(token, before);
    shown = await nextCode(before);
    expect(shown).toMatch(/^[0-9]{4}$/);
    const late = await openBrowser(world.server);
    expect((await late.attach(token, before)).body).toMatchObject({ success: false, needsCode: true });
  }
  socket.close();
});

test('the first device shows a code that staff renewed; no other device and no staff member sees one', async () => {
  const { token, conversationId, code, socket, nextCode } = await watchedChat();
  const path = `/conversations/${conversationId}`;
  const made = await handler.call('POST', `${path}/continueCode`);
  expect(await nextCode(code)).toBe(made.body.continueCode);
  const second = await join(token, made.body.continueCode);
  for (const person of [second, handler])
    expect((await person.call('GET', path)).body.conversation).not.toHaveProperty('continueCode');
  socket.close();
});

test('a locked or void code is no longer shown', async () => {
  const { token, code, socket, nextCode, visitor, conversationId } = await watchedChat();
  const guesser = await openBrowser(world.server);
  for (let turn = 0; turn < 5; turn++) await guesser.attach(token, wrong(code));
  expect(await nextCode(code)).toBeNull();
  const made = await visitor.call('POST', `/conversations/${conversationId}/continueCode`);
  expect((await guesser.attach(token, made.body.continueCode)).body.success).toBe(true);
  socket.close();
});

test('[DEVICE-02] only the first device and staff list the devices', async () => {
  const { token, code, devices, visitor, socket } = await watchedChat();
  const before = Date.now();
  const second = await join(token, code);
  const joined = await socket.next(
    'conversation',
    (frame) => 'joinedAt' in frame.conversation && frame.conversation.joinedAt !== null,
  );
  const list = (await visitor.call('GET', devices)).body.devices;
  expect(list).toEqual([
    { id: expect.any(String), browser: '', joinedAt: expect.any(Number), first: true, current: true },
    {
      id: expect.any(String),
      browser: 'Firefox on Android',
      joinedAt: expect.any(Number),
      first: false,
      current: false,
    },
  ]);
  expect(list[1].joinedAt).toBeGreaterThan(before - 60_000);
  expect(joined.conversation).toMatchObject({ joinedAt: list[1].joinedAt });
  // Not the visitor's id, which would link the conversations of one browser.
  expect(JSON.stringify(list)).not.toContain(second.browser.visitorId);
  expect((await handler.call('GET', devices)).body.devices).toEqual(
    list.map((device: object) => ({ ...device, current: false })),
  );
  expect((await second.call('GET', devices)).status).toBe(403);
  expect((await second.call('DELETE', `${devices}/${list[0].id}`)).status).toBe(403);
  socket.close();
});

test('[DEVICE-03] a removed device loses access at once: socket, cookie and notifications', async () => {
  const { token, code, devices, visitor, conversationId, socket } = await watchedChat();
  const second = await join(token, code);
  await world.subscribe(second, `removed-${conversationId}`);
  const { socket: line } = await watchAs(second, conversationId);
  const [, { id }] = (await visitor.call('GET', devices)).body.devices;
  expect((await visitor.call('DELETE', `${devices}/${id}`)).status).toBe(200);
  expect(await line.next('gone')).toEqual({ type: 'gone', conversationId });
  await expect.poll(() => line.closed).toEqual({ code: 4000, reason: 'signed_out' });

  expect(await second.browser.canRead(conversationId)).toBe(false);
  await second.browser.signIn();
  expect(await second.browser.canRead(conversationId)).toBe(false);
  expect((await second.browser.attach(token, '')).body).toMatchObject({ success: false, needsCode: true });
  const { rows } = await pool().query('select from push_subscriptions where visitor_id = $1', [
    second.browser.visitorId,
  ]);
  expect(rows).toHaveLength(0);
  expect((await visitor.call('GET', devices)).body.devices).toHaveLength(1);
  // A repeated request succeeds.
  expect((await visitor.call('DELETE', `${devices}/${id}`)).status).toBe(200);
  socket.close();
});

test('[DEVICE-03] a removed device that has another chat keeps that one and its notifications', async () => {
  const { token, code, devices, visitor, conversationId, socket } = await watchedChat();
  const own = await createChat(world.server, 'd-desk');
  await world.subscribe(own.visitor, `kept-${conversationId}`);
  expect((await own.visitor.browser.attach(token, code)).body.success).toBe(true);
  await own.visitor.browser.signIn();
  const [, { id }] = (await visitor.call('GET', devices)).body.devices;
  await visitor.call('DELETE', `${devices}/${id}`);
  expect(await own.visitor.browser.canRead(conversationId)).toBe(false);
  expect(await own.visitor.browser.canRead(own.conversationId)).toBe(true);
  const { rows } = await pool().query('select from push_subscriptions where visitor_id = $1', [
    own.visitor.browser.visitorId,
  ]);
  expect(rows).toHaveLength(1);
  socket.close();
});

test('[DEVICE-03] staff remove any device, which is audited; the first device does not remove itself', async () => {
  const { devices, visitor, conversationId, socket, token } = await watchedChat();
  const shown = async () => (await handler.call('GET', `/conversations/${conversationId}`)).body.conversation;
  expect(await shown()).toMatchObject({ noAccess: null });
  const [{ id }] = (await visitor.call('GET', devices)).body.devices;
  expect((await visitor.call('DELETE', `${devices}/${id}`)).status).toBe(400);
  expect(await visitor.browser.canRead(conversationId)).toBe(true);
  expect((await handler.call('DELETE', `${devices}/${id}`)).status).toBe(200);
  await socket.next('gone');
  expect(await visitor.browser.canRead(conversationId)).toBe(false);
  const { rows } = await pool().query('select action, details from audit where target = $1', [
    conversationId,
  ]);
  expect(rows).toContainEqual({ action: 'device.remove', details: {} });
  // The visitor may come back, so staff can still write.
  expect(await shown()).toMatchObject({ noAccess: 'removed', canSend: true });
  const renewed = await handler.call('POST', `/conversations/${conversationId}/continueCode`);
  await join(token, renewed.body.continueCode);
  expect(await shown()).toMatchObject({ noAccess: null });
});

const FIELDS = {
  checkInvite: ['success', 'exists', 'expired', 'revoked', 'state', 'error'],
  claimInvite: ['success', 'conversationId', 'continueCode', 'error'],
  attachInvite: ['success', 'conversationId', 'needsCode', 'error'],
} as const;

test('every refusal of the three calls has the specified fields', async () => {
  const { server } = world;
  const browser = await openBrowser(server);
  const body = { token: 'x', csrf: '1' };
  const staff = handler.browser;
  const asked = [
    ['checkInvite', server.request('GET', '/checkInvite/unknown'), 404],
    ['checkInvite', server.request('GET', '/checkInvite/%zz'), 404],
    ['claimInvite', server.request('POST', '/claimInvite', { body }), 401],
    ['claimInvite', staff.call('POST', '/claimInvite', body), 403],
    ['claimInvite', browser.call('POST', '/claimInvite', {}), 400],
    ['claimInvite', browser.call('POST', '/claimInvite', body), 404],
    ['attachInvite', server.request('POST', '/attachInvite', { body }), 401],
    ['attachInvite', staff.call('POST', '/attachInvite', { ...body, code: '' }), 403],
    ['attachInvite', browser.call('POST', '/attachInvite', body), 400],
    ['attachInvite', browser.call('POST', '/attachInvite', { ...body, code: '0000' }), 404],
  ] as const;
  for (const [call, asking, status] of asked) {
    const reply = await asking;
    expect(reply.status, `${call} ${status}`).toBe(status);
    expect(Object.keys(reply.body), `${call} ${status}`).toEqual(expect.arrayContaining([...FIELDS[call]]));
    expect(reply.body).toMatchObject({ success: false, error: expect.any(String) });
  }
});
