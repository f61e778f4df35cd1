import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia } from '../../test/emulate.ts';
import { Foreign } from '../../test/fakeGateway.ts';
import { idOf } from '../../test/idOf.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

const OFFLINE = 'Typically replies in a few minutes';
const bell = page.getByRole('button', { name: 'Notifications' });
const motionOf = () => getComputedStyle(bell.element().querySelector('svg') as Element).animationName;

test('[B-01] [B-05] [B-06] Loading... shows while the visitor is being signed in, then an empty conversation', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
  const signedIn = Promise.withResolvers<{ visitorId: string; idToken: string; expiresAt: number }>();
  const { screen } = await renderVisitor({
    path: '/chat',
    atOnce: true,
    answers: { signInAnonymously: () => signedIn.promise },
  });
  const main = screen.getByRole('main');
  await expect.element(main.getByText('Loading...')).toBeVisible();
  await expect.element(bell).toHaveAttribute('data-state', 'loading');
  expect(motionOf()).toContain('pulse');
  signedIn.resolve({ visitorId: idOf('visitor'), idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  expect(motionOf()).toBe('none');
  await expect.element(main).toBeVisible();
  await expect.element(main).toBeEmptyDOMElement();
});

test('[B-02] [B-06] Auth Error shows when the sign-in fails, with a muted bell and Retry', async () => {
  const { screen, gateway } = await renderVisitor({
    path: '/chat',
    atOnce: true,
    answers: { signInAnonymously: () => new Foreign(502, 'Bad Gateway') },
  });
  const title = screen.getByRole('heading', { name: 'Auth Error' });
  await expect.element(title).toBeVisible();
  await expect.element(bell).toHaveAttribute('data-state', 'muted');
  await bell.click({ force: true });
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  // An answer without a visitor id is not enough.
  const { success, ...token } = { success: true, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 };
  gateway.answer('signInAnonymously', () => new Foreign(200, 'OK', JSON.stringify({ success, ...token })));
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => gateway.asked('signInAnonymously').length).toBe(2);
  await expect.element(title).toBeVisible();
  gateway.answer('signInAnonymously', { visitorId: idOf('visitor'), ...token });
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  await expect.element(title).not.toBeInTheDocument();
});

test('[B-03] [B-04] [R-06] [K-04] the header shows the profile and whether a handler is online, live', async () => {
  const brand = { displayName: 'Mara Anna Lindqvist', verified: true, avatarUrl: '/nowhere.png' };
  const { screen, gateway } = await renderVisitor({ path: '/chat', brand, online: false });
  const header = screen.getByRole('banner');
  const dot = () => header.element().querySelector('[class*=dot]');
  await expect.element(header.getByRole('heading', { name: /^Mara Anna Lindqvist/ })).toBeVisible();
  await expect.poll(() => document.title).toBe('Mara Anna Lindqvist');
  await expect.element(header.getByText('MA', { exact: true })).toBeVisible();
  await expect.element(header.getByRole('img', { name: 'This is the official profile.' })).toBeVisible();
  await expect.element(header.getByText(OFFLINE)).toBeVisible();
  expect(dot()).toBeNull();

  gateway.push({ type: 'presence', online: true });
  await expect.element(header.getByText('Online')).toBeVisible();
  expect(dot()).not.toBeNull();
  await expect.element(header.getByText(OFFLINE)).not.toBeInTheDocument();
});

test.each([
  ['/chat', { path: '/chat' }],
  ['an invite', { attached: false }],
] as const)('[B-08] %s shows Checking status... until the status is known', async (_page, options) => {
  // The page asks after 100 ms, which must not pass before the answers are held.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { screen, gateway } = await renderVisitor({ ...options, atOnce: true, online: false });
  // A socket that opens and sends nothing.
  gateway.onFrame.hello = () => [];
  const release = gateway.hold('readBrand');
  const status = screen.getByText('Checking status...');
  await expect.poll(() => gateway.received('hello').length + gateway.asked('readBrand').length).toBe(2);
  await expect.element(status).toBeVisible();
  release();
  await expect.element(screen.getByText(OFFLINE)).toBeVisible();
  await expect.element(status).not.toBeInTheDocument();
});

test('[B-10] while the on-screen keyboard is open the header stays and the body shrinks', async () => {
  await page.viewport(360, 740);
  const { screen } = await renderVisitor({ path: '/chat' });
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  const header = () => screen.getByRole('banner').element().getBoundingClientRect().toJSON() as DOMRect;
  const height = () => screen.getByRole('main').element().getBoundingClientRect().height;
  const before = { header: header(), height: height() };
  await page.viewport(360, 340);
  await expect.poll(height).toBe(before.height - 400);
  expect(header()).toEqual(before.header);
  await expect.element(screen.getByRole('banner')).toBeInViewport({ ratio: 1 });
  expect(document.documentElement.scrollHeight).toBe(340);
});
