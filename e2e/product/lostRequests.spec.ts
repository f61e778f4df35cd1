import type { Browser, Page, Route } from '@playwright/test';
import { Random } from '../proof/random.ts';
import { createHandler, createInvite } from './accounts.ts';
import { newPerson, send } from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

const handler = createHandler();
const LATENCY_MS = 2_000;
const LOSS = 0.15;
const VISITS = 10;

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
  await expect(page.getByText('Sent')).toBeVisible({ timeout: 20_000 });
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

/** The first request of every chosen kind is lost. Returns these kinds, as they are requested. */
async function loseFirst(page: Page, isChosen: (kind: string) => boolean): Promise<Set<string>> {
  const lost = new Set<string>();
  await page.route(
    (url) => isChosen(kindOf(url.href) ?? ''),
    (route) => {
      const kind = kindOf(route.request().url()) ?? '';
      if (lost.has(kind)) return route.continue();
      lost.add(kind);
      return route.abort();
    },
  );
  return lost;
}

test(
  '[NET-14] the first request of every kind may be lost: the visit continues on the same link',
  alsoInFirefox,
  async ({ page }) => {
    const lost = await loseFirst(page, (kind) => kind !== '');
    await visit(page, createInvite(handler.alias));
    expect([...lost]).toEqual(expect.arrayContaining(usualKinds));
  },
);

/** Every kind of request during a visit. */
async function kindsOfVisit(browser: Browser): Promise<string[]> {
  const { page, context } = await newPerson(browser);
  const kinds = new Set<string>();
  page.on('request', (request) => {
    const kind = kindOf(request.url());
    if (kind) kinds.add(kind);
  });
  await visit(page, createInvite(handler.alias));
  await context.close();
  return [...kinds];
}

test(
  '[NET-14] any one request of a first visit may be lost: the visit continues on the same link',
  nightly,
  async ({ browser }) => {
    test.setTimeout(600_000);
    const left = await kindsOfVisit(browser);
    expect(left).toEqual(expect.arrayContaining(usualKinds));
    const stuck: string[] = [];
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let kind = left.pop(); kind; kind = left.pop()) {
          const { page, context } = await newPerson(browser);
          const lost = await loseFirst(page, (each) => each === kind);
          await visit(page, createInvite(handler.alias)).catch((error: unknown) =>
            stuck.push(`${kind}: ${String(error)}`),
          );
          // Some scripts load only when the page is idle.
          await expect
            .poll(() => lost.size, { timeout: 30_000 })
            .toBeGreaterThan(0)
            .catch(() => stuck.push(`${kind} was not requested`));
          await context.close();
        }
      }),
    );
    expect(stuck).toEqual([]);
  },
);

test(
  '[NET-14] with 15 % of all requests lost and 2 s of latency, ten of ten first visits reach the chat',
  nightly,
  async ({ browser }) => {
    test.setTimeout(600_000);
    let reached = 0;
    await Promise.all(
      Array.from({ length: VISITS }, async (_, which) => {
        const random = new Random(20_261_116 + which);
        const { page, context } = await newPerson(browser);
        await page.route(
          (url) => kindOf(url.href) !== undefined,
          async (route: Route) => {
            const lost = random.chance(LOSS);
            await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
            await (lost ? route.abort() : route.continue()).catch(() => {});
          },
        );
        await visit(page, createInvite(handler.alias));
        reached += 1;
        await context.close();
      }),
    );
    expect(reached).toBe(VISITS);
  },
);
