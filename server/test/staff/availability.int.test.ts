import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../../../tools/fullSize.ts';
import { Browser, handler as newHandler, PASSWORD } from '../support/browser.ts';
import { LiveClient } from '../support/client.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, createVisitor, type Person } from '../support/people.ts';

// No time passes, so there is neither a sweep nor the end of a grace period: only the announcement may cause the effects.
let server: TestServer;
let elsewhere: string;
const clock = fakeClock(Date.now());
beforeAll(async () => {
  server = await startTestServer({ clock });
  elsewhere = (await server.startAnother({ clock })).url;
  // Time passes for PostgreSQL, and nobody renews a lease.
  await server.asOwner(`
    create function hold_longer() returns trigger language plpgsql as
      $$ begin new.expires_at := now() + interval '1 hour'; return new; end $$;
    create trigger hold_longer before insert or update on presence for each row execute function hold_longer()`);
});
afterAll(() => server.close());

const setAway = (person: Person, away: boolean) => person.call('PUT', '/handlers/me/availability', { away });
const isOnline = async (): Promise<boolean> => (await server.request('GET', '/brand')).body.online;
const both = <T>(open: (url: string) => Promise<T>): Promise<T[]> =>
  Promise.all([server.url, elsewhere].map(open));

test('[QUEUE-28] away reaches visitors everywhere at once, and all windows of that person', async () => {
  const handler = await createStaff(server, 'v-one');
  const colleague = await createStaff(server, 'v-one');
  const { visitor, conversationId } = await createChat(server, 'v-one');
  const watchers = await both((url) => visitor.live(url));
  const windows = await both((url) => handler.live(url));
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => online);

  expect((await setAway(handler, true)).body).toEqual({ success: true, away: true });
  for (const window of windows) {
    expect(await window.next('availability')).toEqual({
      type: 'availability',
      away: true,
    });
  }
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => !online);
  expect(await isOnline()).toBe(false);
  expect((await handler.call('GET', '/handlers/me')).body.handler.online).toBe(false);
  expect((await handler.call('GET', '/desks')).body.desks[0]).toMatchObject({
    alias: 'v-one',
    online: false,
  });

  // An away handler can still work.
  const [window] = windows;
  window?.send({ type: 'watch', conversationId });
  await window?.next('watched');

  // A colleague at the same desk is counted separately.
  const desk = await colleague.live();
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => online);
  expect(desk.received.filter((frame) => frame.type === 'availability')).toEqual([]);
  await setAway(handler, false);
  for (const each of windows) await each.next('availability', ({ away }) => !away);
  await setAway(colleague, true);
  await desk.next('availability', ({ away }) => away);
  expect(await isOnline()).toBe(true);
  // Setting the same state again sends nothing.
  await setAway(colleague, true);
  await setAway(handler, true);
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => !online);
  expect(desk.received.filter((frame) => frame.type === 'availability')).toEqual([]);
  for (const socket of [...watchers, ...windows, desk]) socket.close();
});

test('[QUEUE-28] a visitor in a chat sees who is at its desk, also after a hand-over, and not at others', async () => {
  const [here, there] = [await createStaff(server, 'v-here'), await createStaff(server, 'v-there')];
  const { visitor, conversationId } = await createChat(server, 'v-here');
  const elsewhereDesk = await there.live();
  const watchers = await both((url) => visitor.live(url));
  for (const watcher of watchers) {
    watcher.send({ type: 'watch', conversationId });
    // Before the chat is shown: nobody is at this desk. That somebody is online elsewhere may come just before.
    await watcher.next('presence', ({ online }) => !online);
    await watcher.next('watched');
    watcher.received.length = 0;
  }
  const ownDesk = await here.live();
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => online);
  // To a desk that is online too: nothing tells the visitor.
  await here.call('POST', `/conversations/${conversationId}/transfer`, { alias: 'v-there', note: '' });
  await setAway(there, true);
  for (const watcher of watchers) {
    expect((await watcher.next('presence')).online).toBe(false);
    expect(watcher.received).toEqual([]);
  }
  await there.call('POST', `/conversations/${conversationId}/transfer`, { alias: 'v-here', note: '' });
  for (const watcher of watchers) expect((await watcher.next('presence')).online).toBe(true);
  await setAway(here, true);
  // A socket that closes before the gateway heard of it has a grace period, which never ends here.
  for (const watcher of watchers) await watcher.next('presence', ({ online }) => !online);
  for (const socket of [...watchers, ownDesk, elsewhereDesk]) socket.close();
});

test('[QUEUE-28] away survives a reload, a sign-out and a new sign-in', async () => {
  const { email } = await newHandler(server, 'v-two');
  const browser = new Browser(server);
  const signIn = async (): Promise<LiveClient> => {
    const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
    browser.token = reply.body.idToken;
    return hello();
  };
  const hello = () => LiveClient.hello(server.url, server.app.config.publicUrl, browser.token);
  const first = await signIn();
  expect(await first.next('welcome')).toMatchObject({ away: false, online: true });
  await browser.call('PUT', '/handlers/me/availability', { away: true });
  await first.next('availability');
  await expect.poll(isOnline).toBe(false);
  first.close();
  const reloaded = await hello();
  expect(await reloaded.next('welcome')).toMatchObject({ away: true });
  await browser.call('POST', '/auth/staff/sign-out');
  await reloaded.until(() => reloaded.closed !== undefined, 'still open');
  const again = await signIn();
  expect(await again.next('welcome')).toMatchObject({ away: true, online: false });
  expect(await isOnline()).toBe(false);
  again.close();
});

test('[QUEUE-28] however quickly a person switches, the last choice counts', async () => {
  const handler = await createStaff(server, 'v-three');
  const windows = await both((url) => handler.live(url));
  for (const last of [true, false]) {
    for (const away of [!last, last, !last, last]) await setAway(handler, away);
    for (const window of windows)
      await window.until(() => lastWord(window) === last, 'the last word is another');
    await expect.poll(isOnline).toBe(!last);
  }
  for (const window of windows) window.close();
});

function lastWord(socket: LiveClient): boolean | undefined {
  const frame = socket.received.findLast((received) => received.type === 'availability');
  return frame?.type === 'availability' ? frame.away : undefined;
}

// Slow: a gateway pings every 15 s of real time. Below it, live.test.ts has the rules with a clock that the test moves.
test.runIf(isFull)('[QUEUE-28] a console whose machine crashed goes offline', async () => {
  const handler = await createStaff(server, 'v-four');
  const watcher = await (await createVisitor(server)).live(elsewhere);
  // It never answers a ping, as after a loss of power.
  const { token } = handler.browser;
  const console = await LiveClient.open(server.url, server.app.config.publicUrl, token, { autoPong: false });
  await watcher.next('presence', ({ online }) => online);
  await console.until(() => console.closed !== undefined, 'still open', 60_000);
  await expect
    .poll(() => {
      clock.advance(1_000);
      return watcher.received.some((frame) => frame.type === 'presence' && !frame.online);
    })
    .toBe(true);
  watcher.close();
});
