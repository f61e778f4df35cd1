import type { Browser, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { conversationOf, storedTexts } from './database.ts';
import { bubbles, enterConsole, newPerson, send, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

type Person = {
  page: Page;
  /** All sockets silently stop carrying data, open and new ones. */
  loseNetwork(): Promise<void>;
  findNetwork(): Promise<void>;
};

async function openPerson(browser: Browser): Promise<Person> {
  const { page } = await newPerson(browser);
  let generation = 0;
  let allDead = false;
  await page.routeWebSocket('**/live', (socket) => {
    const mine = generation;
    const server = socket.connectToServer();
    const lives = () => mine === generation && !allDead;
    socket.onMessage((frame) => lives() && server.send(frame));
    server.onMessage((frame) => lives() && socket.send(frame));
  });
  await page.clock.install();
  const change = (event: 'online' | 'offline') => {
    generation += 1;
    allDead = event === 'offline';
    return page.evaluate((type) => void dispatchEvent(new Event(type)), event);
  };
  return { page, loseNetwork: () => change('offline'), findNetwork: () => change('online') };
}

/**
 * From here on the page's time passes only with `runFor`, so the machine's speed does not matter. A pause in the past is
 * an error, so the time skips what a slow machine may need for this call.
 */
async function holdTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
}

const banner = (page: Page) => page.getByText("You're offline. Messages will send when you're back.");

test(
  '[NET-08] both sides show a dead connection when the browser is offline, and messages arrive when both return',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const [ofVisitor, ofDesk] = [await openPerson(browser), await openPerson(browser)];
    const [visitor, desk] = [ofVisitor.page, ofDesk.page];
    await startChat(visitor, invite, 'Ida');
    await enterConsole(desk, handler, `/handler/conversation/${await conversationOf(invite)}`);
    await expect(desk.getByRole('heading', { name: 'Ida' })).toBeVisible();
    const header = visitor.getByRole('banner');
    await expect(header.getByText('Online')).toBeVisible();

    for (const { page, loseNetwork } of [ofVisitor, ofDesk]) {
      await holdTime(page);
      await loseNetwork();
      if (page === visitor) {
        // At once: no time has passed.
        await expect(header.getByText('Connecting...')).toBeVisible();
        await expect(header.getByText('Online')).toHaveCount(0);
      }
      // 2.5 s, or more on a busy machine: a slow connection gets twice its usual time.
      await expect(async () => {
        await page.clock.runFor(1_000);
        await expect(banner(page)).toBeVisible({ timeout: 500 });
      }).toPass({ timeout: 15_000 });
      await page.clock.resume();
    }
    await send(visitor, 'from the tunnel');
    expect(await storedTexts(invite)).toEqual([]);

    for (const { findNetwork } of [ofVisitor, ofDesk]) await findNetwork();
    await expect(bubbles(desk, 'in')).toHaveText(/from the tunnel/);
    await expect(banner(visitor)).toHaveCount(0);
    await expect(banner(desk)).toHaveCount(0);
  },
);
