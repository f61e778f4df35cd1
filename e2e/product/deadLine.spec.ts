import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { storedTexts } from './database.ts';
import { bubbles, chatOfTwo, expectTexts, holdLine, newPerson, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

type Sockets = {
  /** The open sockets silently stop carrying data. With `later`, new sockets do too. */
  die(later: boolean): void;
  heal(): void;
};

/** Takes control of a page's sockets, from its next load on. */
async function mortalSockets(page: Page): Promise<Sockets> {
  let generation = 0;
  let allDead = false;
  await page.routeWebSocket('**/live', (socket) => {
    const mine = generation;
    const server = socket.connectToServer();
    const lives = () => mine === generation && !allDead;
    socket.onMessage((frame) => lives() && server.send(frame));
    server.onMessage((frame) => lives() && socket.send(frame));
  });
  return {
    die(later) {
      generation += 1;
      allDead = later;
    },
    heal() {
      generation += 1;
      allDead = false;
    },
  };
}

/** From here on the page's time passes only with `runFor`, so the machine's speed does not matter. */
async function holdTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
}

const banner = (page: Page) => page.getByText("You're offline. Messages will send when you're back.");

test('[NET-08] both sides show a dead connection when the browser is offline, and messages arrive when both return', async ({
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Ida');
  const [ofVisitor, ofDesk] = [await mortalSockets(visitor), await mortalSockets(desk)];
  await Promise.all([visitor.clock.install(), desk.clock.install()]);
  await Promise.all([visitor.reload(), desk.reload()]);
  const header = visitor.getByRole('banner');
  await expect(header.getByText('Online')).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'Ida' })).toBeVisible();

  for (const [page, sockets] of [
    [visitor, ofVisitor],
    [desk, ofDesk],
  ] as const) {
    await holdTime(page);
    sockets.die(true);
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    if (page === visitor) {
      // At once: no time has passed.
      await expect(header.getByText('Connecting...')).toBeVisible();
      await expect(header.getByText('Online')).toHaveCount(0);
    }
    // 2.5 s, or more on a busy machine: a slow connection gets twice its usual time (NET-04).
    await expect(async () => {
      await page.clock.runFor(1_000);
      await expect(banner(page)).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 15_000 });
    await page.clock.resume();
  }
  await send(visitor, 'from the tunnel');
  expect(await storedTexts(invite)).toEqual([]);

  for (const [page, sockets] of [
    [visitor, ofVisitor],
    [desk, ofDesk],
  ] as const) {
    sockets.heal();
    await page.evaluate(() => dispatchEvent(new Event('online')));
  }
  // Both must reconnect first. The next test measures how fast they do.
  await expect(bubbles(desk, 'in')).toHaveText(/from the tunnel/);
  await expect(banner(visitor)).toHaveCount(0);
  await expect(banner(desk)).toHaveCount(0);
});

test('[NET-08] a page that wakes on a dead socket opens another one, and its messages arrive within 5 s', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Ida');
  const sockets = await mortalSockets(visitor);
  await visitor.clock.install();
  await visitor.reload();
  await expect(visitor.getByRole('banner').getByText('Online')).toBeVisible();
  sockets.die(false);
  await holdTime(visitor);
  await send(visitor, 'before sleep');
  await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await visitor.clock.runFor(5_000);
  await expect(bubbles(desk, 'in')).toHaveText(/before sleep/);
  await visitor.clock.resume();
  await expectTexts(visitor, ['before sleep']);
});

test('[NET-06] messages sent on a dead socket that nobody reported arrive within 10 s, once', async ({
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Ida');
  const sockets = await mortalSockets(visitor);
  await visitor.clock.install();
  await visitor.reload();
  await expect(visitor.getByRole('banner').getByText('Online')).toBeVisible();
  sockets.die(false);
  await holdTime(visitor);
  await send(visitor, 'anyone?');
  await visitor.clock.runFor(10_000);
  await expect(bubbles(desk, 'in')).toHaveText(/anyone\?/);
  await visitor.clock.resume();
  expect(await storedTexts(invite)).toEqual(['anyone?']);
});

test('[NET-05] if the browser’s database never answers, messages are sent within 3 s and survive a reload', async ({
  browser,
}) => {
  const invite = createInvite(createHandler().alias);
  const { page } = await newPerson(browser);
  await page.addInitScript(() => {
    // A request that never gets an answer.
    indexedDB.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  const line = await holdLine(page);
  await page.clock.install();
  await startChat(page, invite, 'Tom');
  await holdTime(page);
  await page.getByPlaceholder('Message...').fill('one');
  await page.getByPlaceholder('Message...').press('Enter');
  await page.clock.runFor(3_000);
  await expect(page.getByText('Sent')).toBeVisible();
  await page.clock.resume();

  await line.cut({ network: false });
  await send(page, 'two');
  await expect(page.getByText('Sending...')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await page.reload();
  await expect(bubbles(page, 'out').filter({ hasText: 'two' })).toBeVisible();
  await line.mend();
  // By now the page may have a long backoff.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('Sent')).toBeVisible();
  expect(await storedTexts(invite)).toEqual(['one', 'two']);
  await page.reload();
  await expectTexts(page, ['one', 'two']);
});
