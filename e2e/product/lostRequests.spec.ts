import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const handler = createHandler();

// The service worker would answer from its cache.
test.use({ serviceWorkers: 'block' });

/** Presses the page's buttons until the first message is sent, without leaving the link. */
async function visit(page: Page, invite: string): Promise<void> {
  await page.goto(invite);
  const startChat = page.getByRole('button', { name: 'Start chat', exact: true });
  const startChatting = page.getByRole('button', { name: 'Start Chatting', exact: true });
  const composer = page.getByPlaceholder('Message...');
  const again = page.getByText('Try again', { exact: true }).first();
  // Polls often without fixed waits, so a page that recovers quickly costs little time.
  await expect(async () => {
    expect(new URL(page.url()).pathname).toBe(invite);
    if (await again.isVisible()) await again.click({ timeout: 5_000 });
    if (await startChat.isVisible()) await startChat.click({ timeout: 5_000 });
    if (await startChatting.isVisible()) {
      await page.getByLabel('Display Name').fill('Jonas', { timeout: 1_000 });
      if (await startChatting.isEnabled()) await startChatting.click({ timeout: 5_000 });
    }
    expect(await composer.isVisible()).toBe(true);
  }).toPass({ timeout: 150_000, intervals: [50] });
  await send(page, 'Hello');
  await expect(page.getByText('Sent')).toBeVisible();
}

/** The kind of a request, without ids and hashes. Losing fonts and images does not matter. */
function kindOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  if (pathname.startsWith('/i/') || /\.(woff2|svg|png|webmanifest)$/.test(pathname)) return undefined;
  return pathname
    .replace(/-[\w-]{8}(\.(js|css))$/, '$1')
    .replace(/\/checkInvite\/.*/, '/checkInvite')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'id');
}

/** Some kinds of requests that every visit makes. */
const usualKinds = [
  '/assets/visitor.js',
  '/assets/room.js',
  '/assets/room.css',
  '/checkInvite',
  '/auth/anonymous',
  '/seeInvite',
  '/claimInvite',
  '/conversations/id/visitorName',
];

test(
  '[NET-14] the first request of every kind may be lost: the visit continues on the same link',
  alsoInFirefox,
  async ({ page }) => {
    const lost = new Set<string>();
    await page.route(
      (url) => kindOf(url.href) !== undefined,
      (route) => {
        const kind = kindOf(route.request().url()) ?? '';
        if (lost.has(kind)) return route.continue();
        lost.add(kind);
        return route.abort();
      },
    );
    await visit(page, createInvite(handler.alias));
    expect([...lost]).toEqual(expect.arrayContaining(usualKinds));
  },
);
