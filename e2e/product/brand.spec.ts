import type { Page } from '@playwright/test';
import { hold, newPerson, signIn } from './people.ts';
import { expect, ownInstallationTest as test } from './watched.ts';

const OFFLINE = 'Typically replies in a few minutes';
const bell = (page: Page) => page.getByRole('button', { name: 'Notifications' });

test('[B-01] [B-05] [B-06] Loading... shows while the visitor is being signed in, then an empty conversation', async ({
  page,
}) => {
  const release = await hold(page, 'auth/anonymous');
  await page.goto('/chat');
  await expect(page.getByRole('main').getByText('Loading...')).toBeVisible();
  await expect(bell(page)).toHaveAttribute('data-state', 'loading');
  await expect(bell(page).locator('svg')).toHaveCSS('animation-name', /pulse/);
  await release();
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await expect(bell(page)).toHaveAttribute('data-state', 'normal');
  await expect(bell(page).locator('svg')).toHaveCSS('animation-name', 'none');
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByRole('main')).toBeEmpty();
});

test('[B-02] [B-06] Auth Error shows when the sign-in fails, with a muted bell and Retry', async ({
  page,
}) => {
  await page.route('**/auth/anonymous', (route) => route.abort());
  await page.goto('/chat');
  await expect(page.getByRole('heading', { name: 'Auth Error' })).toBeVisible();
  await expect(bell(page)).toHaveAttribute('data-state', 'muted');
  await bell(page).click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute('**/auth/anonymous');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Auth Error')).toHaveCount(0);
  await expect(bell(page)).toHaveAttribute('data-state', 'normal');
});

test('[B-02] Auth Error shows when there is no visitor id', async ({ page }) => {
  await page.route('**/auth/anonymous', async (route) => {
    const response = await route.fetch();
    const { visitorId: _, ...rest } = await response.json();
    await route.fulfill({ response, json: rest });
  });
  await page.goto('/chat');
  await expect(page.getByRole('heading', { name: 'Auth Error' })).toBeVisible();
});

test('[B-03] [B-04] [R-06] [K-04] the header shows the profile and whether a handler is online', async ({
  page,
  browser,
  installation,
}) => {
  installation.setBrand('--name', 'Mara Anna Lindqvist', '--verified', 'true', '--avatar', '/nowhere.png');
  await page.goto('/chat');
  const header = page.getByRole('banner');
  await expect(header.getByRole('heading')).toHaveText(/^Mara Anna Lindqvist/);
  await expect(page).toHaveTitle('Mara Anna Lindqvist');
  await expect(header.getByText('MA', { exact: true })).toBeVisible();
  await expect(header.getByRole('img', { name: 'This is the official profile.' })).toBeVisible();
  await expect(header.getByText(OFFLINE)).toBeVisible();
  await expect(header.locator('[class*=dot]')).toHaveCount(0);

  const { page: desk } = await newPerson(browser);
  await signIn(desk, installation.handler());
  await expect(header.getByText('Online')).toBeVisible();
  await expect(header.locator('[class*=dot]')).toBeVisible();
  await expect(header.getByText(OFFLINE)).toHaveCount(0);

  installation.setBrand('--avatar', '/favicon.svg');
  await expect(header.locator('img')).toBeVisible();
  await expect(header.getByText('MA', { exact: true })).toHaveCount(0);
});

test('[V-08] the badge’s tooltip says that this is the official profile', async ({ page, installation }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  installation.setBrand('--name', 'A name that is longer than a phone is wide', '--verified', 'true');
  await page.goto('/chat');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^A name that is longer/);
  await page.getByRole('img', { name: 'This is the official profile.' }).hover();
  const tip = page.getByRole('tooltip', { name: 'This is the official profile.' });
  await expect(tip).toBeVisible();
  // The script that keeps it in view may load later.
  await expect
    .poll(async () => {
      const box = await tip.boundingBox();
      return box && box.x >= 0 && box.x + box.width <= 360;
    })
    .toBe(true);
});

for (const path of ['/chat', 'an invite']) {
  test(`[B-08] ${path} shows Checking status... until the status is known`, async ({
    page,
    installation,
  }) => {
    const release = await hold(page, 'brand');
    // A socket that opens and sends nothing.
    await page.routeWebSocket(/\/live$/, () => {});
    await page.clock.install();
    await page.goto(path === '/chat' ? path : installation.invite());
    const status = page.getByRole('status').filter({ hasText: 'Checking status...' });
    await page.clock.runFor(1_000);
    await expect(status).toBeVisible();
    await release();
    await expect(page.getByText(OFFLINE).or(page.getByText('Online'))).toBeVisible();
    await expect(status).toHaveCount(0);
  });
}

test('[E-10] without a server /chat shows Connecting..., never Online', async ({ page }) => {
  await page.route('**/brand', (route) => route.abort());
  await page.routeWebSocket(/\/live$/, (socket) => socket.close());
  await page.goto('/chat');
  await expect(page.getByRole('banner').getByText('Connecting...')).toBeVisible();
  await expect(page.getByText('Online')).toHaveCount(0);
});

test('[B-10] while the on-screen keyboard is open the header stays and the body shrinks', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/chat');
  await expect(bell(page)).toHaveAttribute('data-state', 'normal');
  const [header, body] = [page.getByRole('banner'), page.getByRole('main')];
  const before = { header: await header.boundingBox(), body: await body.boundingBox() };
  await page.setViewportSize({ width: 360, height: 340 });
  await expect.poll(async () => (await body.boundingBox())?.height).toBe((before.body?.height ?? 0) - 400);
  expect(await header.boundingBox()).toEqual(before.header);
  await expect(header).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(340);
});
