import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { send, startChatWithForms } from './people.ts';
import { expect, nightly, test } from './watched.ts';

const handler = createHandler();

const LATENCY_MS = 2_000;
const BYTES_PER_SECOND = 400_000 / 8;
const FIRST_MESSAGE_MS = 15_000;
/** The same visit on an idle machine without network latency. */
const QUIET_VISIT_MS = 1_500;
const COLD_LOAD_BYTES = 180_000;

// A first visit has no service worker yet.
test.use({ serviceWorkers: 'block' });

/** Time in ms from opening the link to the ack of the first message. */
async function firstMessage(page: Page): Promise<number> {
  const began = performance.now();
  // The load event waits for the last font; visitors do not.
  await page.goto(createInvite(handler.alias), { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await send(page, 'Hello');
  await expect(page.getByText('Sent')).toBeVisible({ timeout: 40_000 });
  return performance.now() - began;
}

test(
  'at 2 s of latency and 400 kbit/s the first message is stored within 15 s of opening the link',
  nightly,
  async ({ browser }) => {
    const [fast, slow] = [await browser.newContext(), await browser.newContext()];
    // Measures how much of the time this machine itself needs.
    const usual = await firstMessage(await fast.newPage());
    await fast.close();
    const page = await slow.newPage();
    const network = await slow.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    const took = await firstMessage(page);
    const busy = Math.max(0, usual - QUIET_VISIT_MS);
    expect(took - busy, `with ${usual} ms on a fast line`).toBeLessThan(FIRST_MESSAGE_MS);
    // Proves that the emulation worked: document, scripts, claim, name and socket are sequential.
    expect(took).toBeGreaterThan(4 * LATENCY_MS);
    await slow.close();
  },
);

test('a first visit, from the link to the empty chat, transfers at most 180 kB, and then nothing moves', async ({
  page,
}) => {
  const network = await page.context().newCDPSession(page);
  const sizes = new Map<string, number>();
  const names = new Map<string, string>();
  await network.send('Network.enable');
  network.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, encodedDataLength),
  );
  await startChatWithForms(page, createInvite(handler.alias), 'Jonas');
  await page.waitForLoadState('networkidle');
  const parts = [...sizes].map(([id, bytes]) => `${names.get(id)} ${bytes}`);
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(parts.join('\n')).toMatch(/\.woff2 .*claimInvite /s);
  expect(total, parts.join('\n')).toBeLessThanOrEqual(COLD_LOAD_BYTES);
  // Nor does the preloader, which component tests do not have.
  const moving = () =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 100));
  await expect.poll(() => page.evaluate(moving)).toEqual([]);
});
