import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lost, Refused } from '../../test/fakeGateway.ts';
import { frame, pass } from '../../test/passTime.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

const OFFLINE = 'Typically replies in a few minutes';

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

test('a page that ends in an error opens no socket', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { screen, gateway } = await renderVisitor({
    attached: false,
    atOnce: true,
    answers: { checkInvite: () => new Refused('invite_not_found') },
  });
  // A usable invite opens it after 100 ms.
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await expect.element(screen.getByText('Invite not found')).toBeVisible();
  await expect.poll(() => gateway.asked('readBrand').length).toBe(1);
  expect(gateway.openSockets()).toBe(0);
});

test('[E-09] [E-10] without the profile the page shows the defaults and a connecting line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { screen, gateway } = await renderVisitor({
    attached: false,
    atOnce: true,
    brand: { displayName: 'Mara Lindqvist', verified: false },
    answers: { readBrand: () => lost },
  });
  gateway.onFrame.hello = () => [];
  await passTime();
  expect(gateway.asked('readBrand').length).toBeGreaterThan(0);
  const name = screen.getByRole('heading', { level: 1 });
  await expect.element(screen.getByText(OFFLINE)).toBeVisible();
  await expect.poll(() => name.element().textContent).toMatch(/^Settee/);
  await expect.element(name.getByRole('img', { name: 'This is the official profile.' })).toBeVisible();
  expect(document.title).toBe('Start a conversation · Settee');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByRole('banner').getByText('Connecting...')).toBeVisible();
  await expect.element(screen.getByText('Online')).not.toBeInTheDocument();
});

test('[E-10] without a server /chat shows Connecting..., never Online', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { screen, gateway } = await renderVisitor({
    path: '/chat',
    atOnce: true,
    answers: { readBrand: () => lost },
  });
  gateway.onFrame.hello = () => [];
  await passTime();
  await expect.element(screen.getByRole('banner').getByText('Connecting...')).toBeVisible();
  await expect.element(screen.getByText('Online')).not.toBeInTheDocument();
});

test('[E-10] a lost connection resets the presence', async () => {
  const { screen, gateway } = await renderVisitor({ attached: false });
  await expect.element(screen.getByText('Online')).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  gateway.drop();
  await passTime();
  await expect.element(screen.getByText(OFFLINE)).toBeVisible();
  await expect.element(screen.getByText('Online')).not.toBeInTheDocument();
});

test('[L-04] listeners start, and the permission is read, after 100 ms', async () => {
  const permission = vi.spyOn(Notification, 'permission', 'get').mockReturnValue('default');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const start = await renderVisitor({ attached: false, atOnce: true });
  const started = () => [start.gateway.asked('readBrand').length, start.gateway.openSockets()];
  await until(() => start.screen.getByRole('button', { name: 'Start chat' }).elements().length > 0);
  await pass(99);
  expect(started()).toEqual([0, 0]);
  await pass(1);
  await until(() => String(started()) === '1,1');
  await start.screen.unmount();

  const chat = await renderVisitor({ atOnce: true });
  await until(() => chat.screen.getByRole('button', { name: 'Notifications' }).elements().length > 0);
  await pass(99);
  expect(permission).not.toHaveBeenCalled();
  await pass(1);
  await until(() => permission.mock.calls.length > 0);
});

/** Lets the page notice that nobody answers. Time stays fake: a timer that a slow page starts later would be lost. */
async function passTime(): Promise<void> {
  for (let seconds = 0; seconds < 10; seconds++) await pass(1_000);
}

/** Waits without moving the fake time, which `expect.element` and `vi.waitFor` would do. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await frame();
}
