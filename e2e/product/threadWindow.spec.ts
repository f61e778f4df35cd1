import type { Page } from '@playwright/test';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler } from './accounts.ts';
import { moveToDesk } from './database.ts';
import { fillDesk, seenByOwner, visitorWrites } from './longDesk.ts';
import { bubbles, newPerson, pxFromEnd, send, signIn } from './people.ts';
import { expect, test } from './watched.ts';

const message = (page: Page, number: number) => page.locator(`[data-seq="${number}"]`);

/** The numbers of the first and last message in the page's window, and their count. */
function held(page: Page): Promise<[first: number, last: number, count: number]> {
  return page.getByRole('log').evaluate((log) => {
    const numbers = [...log.querySelectorAll<HTMLElement>('[data-seq]')].map(({ dataset }) =>
      Number(dataset.seq),
    );
    return [numbers[0] ?? 0, numbers.at(-1) ?? 0, numbers.length];
  });
}

/** Records the positions of the visible messages by number, to detect jumps. */
async function watchForJumps(page: Page): Promise<void> {
  await page.getByRole('log').evaluate((log) => {
    const page = globalThis as unknown as { worstJump: number };
    page.worstJump = 0;
    let before = new Map<string, number>();
    // A page of messages was added or removed, and the list has corrected the positions before the next frame.
    new MutationObserver(() => {
      for (const [seq, top] of places()) {
        const old = before.get(seq);
        if (old !== undefined) page.worstJump = Math.max(page.worstJump, Math.abs(top - old));
      }
    }).observe(log, { childList: true, subtree: true });
    log.addEventListener('scroll', () => {
      before = places();
    });
    before = places();

    function places(): Map<string, number> {
      const { top, bottom } = log.getBoundingClientRect();
      const inSight = [...log.querySelectorAll<HTMLElement>('[data-seq]')].flatMap((element) => {
        const box = element.getBoundingClientRect();
        const seen: [string, number][] =
          box.bottom > top && box.top < bottom ? [[element.dataset.seq ?? '', box.top - top]] : [];
        return seen;
      });
      return new Map(inSight);
    }
  });
}

const worstJump = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { worstJump: number }).worstJump);

/** Scrolls a few screens per frame until this message is loaded. */
async function readTo(page: Page, number: number): Promise<void> {
  await page.getByRole('log').evaluate(async (log, wanted) => {
    const numbers = () =>
      [...log.querySelectorAll<HTMLElement>('[data-seq]')].map(({ dataset }) => Number(dataset.seq));
    const up = (numbers()[0] ?? 0) > wanted;
    const there = () => (up ? (numbers()[0] ?? 0) <= wanted : (numbers().at(-1) ?? 0) >= wanted);
    for (let frames = 0; frames < 2_000 && !there(); frames += 1) {
      log.scrollBy(0, up ? -1_500 : 1_500);
      await new Promise(requestAnimationFrame);
    }
  }, number);
  const [first, last] = await held(page);
  expect(first <= number && number <= last, `${number} is between ${first} and ${last}`).toBe(true);
}

test('[MSG-34] [MSG-30] reading back and forth in a thread of 1,000 keeps the position, and the page stays small', async ({
  browser,
}) => {
  const handler = createHandler();
  const [chat] = await fillDesk(handler.alias, { conversations: 1, messages: 1_000 });
  const { page } = await newPerson(browser);
  await signIn(page, handler);
  await page.getByRole('link', { name: /Guest no. 1/ }).click();
  await expect(message(page, 1_000)).toBeInViewport();
  expect(await pxFromEnd(page)).toBeLessThan(1);

  await watchForJumps(page);
  await readTo(page, 550);
  const [, last, count] = await held(page);
  expect(last).toBeLessThan(951);
  expect(count).toBeLessThanOrEqual(350);
  expect(await worstJump(page)).toBeLessThanOrEqual(1);

  // Far from the end, the list does not follow. A new message is counted but not shown.
  await visitorWrites(chat?.id ?? '', 'Are you still there?');
  const pill = page.getByRole('button', { name: '1 new message' });
  await expect(pill).toBeVisible();
  expect(await seenByOwner(chat?.id ?? '')).toBe(1_000);
  expect((await held(page))[1]).toBe(last);

  // Scrolling down again reaches the messages that arrived live.
  await readTo(page, 1_001);
  expect((await held(page))[2]).toBeLessThanOrEqual(400);
  expect(await worstJump(page)).toBeLessThanOrEqual(1);
  await page.getByRole('log').evaluate((log) => log.scrollBy(0, log.scrollHeight));
  await expect(page.getByRole('log').getByText('Are you still there?')).toBeInViewport();
  await expect.poll(() => seenByOwner(chat?.id ?? '')).toBe(1_001);
});

test('[MSG-35] a link opens a message, at any distance and repeatedly', async ({ browser }) => {
  const handler = createHandler();
  const [chat] = await fillDesk(handler.alias, { conversations: 2, messages: 1_000, unseen: 400 });
  const { page } = await newPerson(browser);
  await signIn(page, handler);
  const address = `/handler/conversation/${chat?.id}`;
  const pages: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/messages')) pages.push(search);
  });

  await page.goto(`${address}?message=500`);
  await expect(message(page, 500)).toBeFocused();
  const view = await page.getByRole('log').boundingBox();
  const box = await message(page, 500).boundingBox();
  const middle = (area: typeof box) => (area?.y ?? 0) + (area?.height ?? 0) / 2;
  expect(Math.abs(middle(box) - middle(view))).toBeLessThan(2);
  expect(pages).toHaveLength(2);
  // Messages from 601 on are new and have not been visible.
  expect(await seenByOwner(chat?.id ?? '')).toBe(600);

  // Like a link inside the console.
  const follow = (search: string) =>
    page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `${address}${search}`);
  await follow('?message=20');
  await expect(message(page, 20)).toBeFocused();
  await expect(message(page, 20)).toBeInViewport();
  await follow('?message=none');
  await expect(message(page, 20)).toBeInViewport();

  // The pill and sending a message jump to the end at once. A keyboard user keeps the focus in the list.
  const pill = page.getByRole('button', { name: /new messages/ });
  await pill.evaluate((button: HTMLElement) => button.click());
  await expect(message(page, 1_000)).toBeInViewport();
  await expect(page.getByRole('log')).toBeFocused();
  expect(await pxFromEnd(page)).toBeLessThan(1);
  await expect.poll(() => seenByOwner(chat?.id ?? '')).toBe(1_000);
  await follow('?message=200');
  await expect(message(page, 200)).toBeFocused();
  await expect(page.getByRole('button', { name: texts.toNewest })).toBeVisible();
  await send(page, 'Here I am.');
  await expect(page.getByRole('log').getByText('Here I am.')).toBeInViewport();
  await expect.poll(() => pxFromEnd(page)).toBeLessThan(1);
  await expect(page.getByText('Sent')).toBeVisible();

  // An unknown number opens the conversation as usual, at the first new message.
  const other = page.getByRole('link', { name: /Guest no. 2/ });
  await page.goto(`${(await other.getAttribute('href')) ?? ''}?message=5000000`);
  await expect(page.getByText('New', { exact: true })).toBeInViewport();
  await expect(message(page, 601)).toBeInViewport();
});

test('[CONSOLE-36] [H-08] a recent chat shows at once, also offline; a chat of another desk does not', async ({
  browser,
}) => {
  const [handler, colleague] = [createHandler(), createHandler()];
  const chats = await fillDesk(handler.alias, { conversations: 3, messages: 60 });
  const [foreign] = await fillDesk(colleague.alias, { conversations: 1, messages: 60 });
  const { page, context } = await newPerson(browser);
  await signIn(page, handler);
  const row = (number: number) => page.getByRole('link', { name: new RegExp(`Guest no. ${number}\\b`) });
  for (const number of [1, 3]) {
    await row(number).click();
    await expect(bubbles(page).last()).toBeInViewport();
    await expect(page.getByRole('heading', { name: `Guest no. ${number}` })).toBeVisible();
  }
  // The messages are there in the same render in which the address changes: nothing is loaded.
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  await context.setOffline(true);
  await row(1).click();
  await expect(message(page, 60)).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Guest no. 1' })).toBeVisible();
  expect(calls.filter((url) => url.includes('/conversations/'))).toEqual([]);
  await context.setOffline(false);

  // One chat moved to another desk while it was cached, and one was never ours.
  const [, second] = chats;
  const opened = page.waitForEvent('websocket');
  await page.goto('/handler');
  const socket = await opened;
  await row(2).click();
  await expect(message(page, 60)).toBeInViewport();
  await row(1).click();
  // The queue and the cached chat each get a frame, one after the other.
  const told = socket.waitForEvent('framereceived', ({ payload }) => {
    const frame = payload.toString();
    return frame.includes('"gone"') && frame.includes(`"${second?.id}"`);
  });
  await moveToDesk(second?.id ?? '', colleague.alias);
  await told;
  await expect(row(2)).toHaveCount(0);
  for (const id of [second?.id, foreign?.id, 'f0000000-0000-4000-8000-000000000000', 'not-an-id']) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/handler/conversation/${id}`);
    await expect(page).toHaveURL('/handler');
    await expect(page.getByText('Conversation not found')).toBeVisible();
    await row(1).click();
    await expect(message(page, 60)).toBeInViewport();
    await expect(page.getByText('Conversation not found')).toHaveCount(0);
  }
});
