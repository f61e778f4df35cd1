import type { Locator, Page } from '@playwright/test';
import { CLOSED_PAGE } from '@settee/protocol/model/conversation';
import { createHandler, createInvite } from './accounts.ts';
import { fromPalette } from './byKeyboard.ts';
import { makeConversations } from './database.ts';
import { holdLine, newPerson, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const row = (desk: Page, name: string): Locator => desk.getByRole('listitem').filter({ hasText: name });
const names = (desk: Page): Locator => desk.getByRole('listitem').locator('b');
const pill = (desk: Page, name: RegExp): Locator =>
  desk.getByRole('group', { name: 'Filter conversations' }).getByRole('button', { name });

/** Keeps the pointer moving until `work` is done. */
async function withRestlessPointer(desk: Page, work: () => Promise<void>): Promise<void> {
  const box = await row(desk, 'Sara').boundingBox();
  if (!box) throw new Error('the row is not there');
  let done = false;
  const working = work().finally(() => {
    done = true;
  });
  for (let step = 0; !done; step += 1) {
    await desk.mouse.move(box.x + 20 + (step % 2), box.y + box.height / 2);
    await Promise.race([working.catch(() => {}), new Promise((next) => setTimeout(next, 200))]);
  }
  await working;
}

test('[QUEUE-17] rows show who waits, what is unread and a draft; filters persist', async ({ browser }) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'Jonas', text: 'May I read it to them?', minutesAgo: 2, unread: 1, waitingMinutes: 2 },
    { name: 'Adaeze', text: 'Is the date still on?', minutesAgo: 6, unread: 2, waitingMinutes: 6 },
    { name: '', text: '[Media]', minutesAgo: 18, waitingMinutes: 18 },
    { name: 'Sara', text: 'شكرا', minutesAgo: 41, markedUnread: true },
    { name: 'Tomás', text: 'See you at the book fair!', minutesAgo: 125, from: 'owner' },
    { name: 'Léa', text: 'Merci', minutesAgo: 60 * 25, waitingMinutes: 60 * 25 },
    { name: 'Closed one', text: 'bye', minutesAgo: 60, status: 'closed' },
  ]);
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);

  await expect(desk.getByRole('heading', { name: 'My Queue (6)' })).toBeVisible();
  await expect(names(desk)).toHaveText(['Jonas', 'Adaeze', /^V-[0-9A-F]{8}$/, 'Sara', 'Tomás', 'Léa']);
  await expect(row(desk, 'Jonas')).toContainText('1 unread');
  await expect(row(desk, 'Jonas')).not.toContainText('Waiting');
  await expect(row(desk, 'Adaeze')).toContainText('2 unread');
  await expect(row(desk, 'Adaeze')).toContainText('Waiting 6m');
  await expect(row(desk, '[Media]')).toContainText('Waiting 18m');
  await expect(row(desk, 'Sara')).toContainText('Marked unread');
  await expect(row(desk, 'Tomás')).toContainText('Ana: See you at the book fair!');
  await expect(row(desk, 'Tomás')).toContainText('2h ago');
  await expect(row(desk, 'Léa')).toContainText('Waiting 1d');
  await expect(row(desk, 'Tomás')).toHaveAttribute('aria-posinset', '5');
  await expect(row(desk, 'Tomás')).toHaveAttribute('aria-setsize', '6');

  // The draft is kept and the row shows it. The open conversation has it in the composer instead.
  await row(desk, 'Tomás').getByRole('link').click();
  await desk.getByPlaceholder('Type your message...').fill('Until then');
  await expect(row(desk, 'Tomás')).not.toContainText('Draft:');
  await desk.getByRole('button', { name: 'Back to Queue' }).click();
  await expect(row(desk, 'Tomás')).toContainText('Draft: Until then');
  await desk.reload();
  await expect(row(desk, 'Tomás')).toContainText('Draft: Until then');

  await expect(pill(desk, /^All/)).toHaveAttribute('aria-pressed', 'true');
  await expect(pill(desk, /^Waiting 3$/)).toBeVisible();
  await pill(desk, /^Unread 3$/).click();
  await expect(desk).toHaveURL('/handler?show=unread');
  await expect(names(desk)).toHaveText(['Jonas', 'Adaeze', 'Sara']);
  await expect(desk.getByRole('heading', { name: 'My Queue (6)' })).toBeVisible();

  // A read conversation stays in the filtered list until another one is opened. The pointer leaves the list, so the
  // order is not held.
  await row(desk, 'Adaeze').getByRole('link').click();
  await desk.getByRole('heading', { name: 'My Queue' }).hover();
  await expect(desk).toHaveURL(/\/conversation\/[0-9a-f-]{36}\?show=unread$/);
  await expect(pill(desk, /^Unread 2$/)).toBeVisible();
  await expect(names(desk)).toHaveText(['Jonas', 'Adaeze', 'Sara']);
  await desk.getByRole('button', { name: 'Back to Queue' }).click();
  await expect(desk).toHaveURL('/handler?show=unread');
  await expect(names(desk)).toHaveText(['Jonas', 'Sara']);
  await desk.goBack();
  await expect(names(desk)).toHaveText(['Jonas', 'Adaeze', 'Sara']);

  await desk.goto('/handler?show=waiting');
  await expect(pill(desk, /^Waiting/)).toHaveAttribute('aria-pressed', 'true');
  // The longest wait comes first.
  await expect(names(desk)).toHaveText(['Léa', /^V-/, 'Adaeze']);

  const other = createHandler();
  await makeConversations(other.alias, [{ name: 'Ada', text: 'Bye', minutesAgo: 3, from: 'owner' }]);
  const { page: calm } = await newPerson(browser);
  await signIn(calm, other);
  await pill(calm, /^Waiting$/).click();
  await expect(calm.getByText('No one waiting')).toBeVisible();
  await pill(calm, /^Unread$/).click();
  await expect(calm.getByText('Nothing is unread.')).toBeVisible();
});

test('[QUEUE-23] [R-06] title, badge and one soft sound report visitors’ messages, and end with the session', async ({
  browser,
}) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'Sara', text: 'Thank you', minutesAgo: 41, markedUnread: true },
    { name: 'Tomás', text: 'Bye', minutesAgo: 60, from: 'owner' },
  ]);
  const { page: visitor } = await newPerson(browser);
  const line = await holdLine(visitor);
  await startChat(visitor, createInvite(handler.alias), 'Ada');
  const { page: desk } = await newPerson(browser);
  await desk.addInitScript(recordAlerts);
  await signIn(desk, handler);
  await expect(desk).toHaveTitle(/^\(1\) .+ · Console$/);

  await row(desk, 'Tomás').getByRole('link').click();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();
  // Two messages at once count as two and make one sound.
  await line.cut();
  await send(visitor, 'one');
  await send(visitor, 'two');
  await line.mend();
  await expect(row(desk, 'Ada')).toContainText('2 unread');
  await expect(desk).toHaveTitle(/^\(2\) /);
  expect((await alerts(desk)).badges).toEqual([1, 2]);
  await expect.poll(async () => (await alerts(desk)).sounds).toHaveLength(1);

  // There is no sound for the visible conversation, and none when sound is off.
  await row(desk, 'Ada').getByRole('link').click();
  await expect(desk.getByRole('log').getByText('two')).toBeVisible();
  await expect(desk).toHaveTitle(/^\(1\) /);
  await desk.waitForFunction((last) => performance.now() - last > 2_000, (await alerts(desk)).sounds[0] ?? 0);
  await send(visitor, 'three');
  await expect(desk.getByRole('log').getByText('three')).toBeVisible();
  expect((await alerts(desk)).sounds).toHaveLength(1);
  await desk.getByRole('button', { name: 'Back to Queue' }).click();
  await send(visitor, 'four');
  await expect.poll(async () => (await alerts(desk)).sounds).toHaveLength(2);
  await desk.evaluate(() => localStorage.setItem('sound', 'off'));
  await desk.reload();
  await row(desk, 'Tomás').getByRole('link').click();
  await send(visitor, 'five');
  await expect(row(desk, 'Ada')).toContainText('2 unread');
  expect((await alerts(desk)).sounds).toEqual([]);

  await desk.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(desk.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  await expect(desk).toHaveTitle(/^[^(].* · Console$/);
  expect((await alerts(desk)).badges.at(-1)).toBe(0);
});

test('[QUEUE-24] rows stay in place under the pointer and move when it leaves; the focus moves with its row', async ({
  browser,
}) => {
  const handler = createHandler();
  const { page: ada } = await newPerson(browser);
  const { page: bea } = await newPerson(browser);
  await startChat(ada, createInvite(handler.alias), 'Ada');
  await startChat(bea, createInvite(handler.alias), 'Bea');
  for (const name of ['Sara', 'Jonas']) {
    await makeConversations(handler.alias, [{ name, text: 'Hello', minutesAgo: 0 }]);
  }
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await expect(names(desk)).toHaveText(['Jonas', 'Sara', 'Bea', 'Ada']);

  await row(desk, 'Sara').hover();
  await withRestlessPointer(desk, async () => {
    await send(ada, 'Good evening');
    await expect(row(desk, 'Ada')).toContainText('Good evening');
    await expect(row(desk, 'Ada')).toContainText('1 unread');
    await expect(names(desk)).toHaveText(['Jonas', 'Sara', 'Bea', 'Ada'], { timeout: 1 });
  });
  await desk.getByRole('heading', { name: 'My Queue' }).hover();
  await expect(names(desk)).toHaveText(['Ada', 'Jonas', 'Sara', 'Bea']);

  await row(desk, 'Sara').hover();
  await withRestlessPointer(desk, async () => {
    await send(bea, 'And to you');
    await expect(row(desk, 'Bea')).toContainText('And to you');
    await expect(names(desk)).toHaveText(['Ada', 'Jonas', 'Sara', 'Bea'], { timeout: 1 });
  });
  // A key press means that the hand is not at the mouse.
  await desk.keyboard.press('Shift');
  await expect(names(desk)).toHaveText(['Bea', 'Ada', 'Jonas', 'Sara']);

  await desk.getByRole('heading', { name: 'My Queue' }).hover();
  const link = row(desk, 'Ada').getByRole('link');
  await link.focus();
  await send(ada, 'Are you there?');
  await expect(names(desk)).toHaveText(['Ada', 'Bea', 'Jonas', 'Sara']);
  await expect(link).toBeFocused();
});

test('[QUEUE-25] a long queue is walked by keyboard, and keeps its position when a phone returns to it', async ({
  page: desk,
}) => {
  const handler = createHandler();
  await makeConversations(
    handler.alias,
    Array.from({ length: 300 }, (_, index) => ({
      name: `Visitor ${index + 1}`,
      text: 'Hello',
      minutesAgo: index,
      ...(index % 3 === 0 && { waitingMinutes: index }),
    })),
  );
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Visitor 1 / }).focus();
  // Like a key held down on a slow machine: several events between two frames.
  await Promise.all(Array.from({ length: 39 }, () => desk.keyboard.press('ArrowDown')));
  const fortieth = desk.getByRole('link', { name: /Visitor 40 / });
  await expect(fortieth).toBeFocused();
  await expect(fortieth).toBeInViewport({ ratio: 1 });

  // The focused row is out of sight but still in the document, so the next key continues from it.
  const list = desk.getByRole('region', { name: 'My Queue' }).getByRole('list').locator('..');
  const last = desk.getByRole('link', { name: /Visitor 300 / });
  // The list may still be scrolling to the row.
  await expect(async () => {
    await list.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await expect(last).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await expect(fortieth).toBeFocused();
  await expect(fortieth).not.toBeInViewport();
  await desk.keyboard.press('ArrowDown');
  await expect(desk.getByRole('link', { name: /Visitor 41 / })).toBeFocused();

  await desk.setViewportSize({ width: 360, height: 740 });
  const far = desk.getByRole('link', { name: /Visitor 44 / });
  await far.click();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();
  await expect(far).toBeHidden();
  await desk.getByRole('button', { name: 'Back to Queue' }).click();
  await expect(far).toBeInViewport();
});

test('[QUEUE-18] closed conversations that cannot be loaded show an error and can be retried', async ({
  page,
}) => {
  await page.route('**/queue/closed', (route) => route.abort());
  await signIn(page, createHandler());
  await pill(page, /^Closed$/).click();
  await expect(page).toHaveURL('/handler?show=closed');
  await expect(page.getByText('Loading closed conversations...')).toBeVisible();
  await expect(page.getByText("Couldn't load closed conversations.")).toBeVisible();
  const asked = page.waitForRequest('**/queue/closed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await asked;
});

test('[QUEUE-18] closed conversations load page by page, can be read, and reopened', async ({
  page: desk,
}) => {
  const handler = createHandler();
  await makeConversations(
    handler.alias,
    Array.from({ length: CLOSED_PAGE + 5 }, (_, index) => ({
      name: `Visitor ${index + 1}`,
      text: 'Until next time',
      minutesAgo: 60 + index,
      status: index === 1 ? ('blocked' as const) : ('closed' as const),
    })),
  );
  await signIn(desk, handler);
  await expect(desk.getByText('No conversations')).toBeVisible();
  await pill(desk, /^Closed$/).click();
  const first = desk.getByRole('listitem').first();
  await expect(first).toContainText('Visitor 1');
  await expect(first).toContainText('1h ago');
  await expect(desk.getByRole('listitem').nth(1)).toContainText('Blocked');
  await expect(desk.getByRole('listitem').nth(1).getByRole('button', { name: 'Unblock' })).toBeVisible();
  await expect(first).toHaveAttribute('aria-setsize', String(CLOSED_PAGE));

  await first.getByRole('link').click();
  await expect(desk.getByRole('log').getByText('Until next time')).toBeVisible();
  await expect(desk.getByText('This conversation is closed')).toBeVisible();
  await expect(desk).toHaveURL(/\?show=closed$/);

  await first.getByRole('button', { name: 'Reopen' }).click();
  await expect(desk.getByRole('heading', { name: 'My Queue (1)' })).toBeVisible();
  await expect(first).toContainText('Visitor 2');
  await expect(first.getByRole('link')).toBeFocused();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();

  await desk.getByRole('listitem').first().hover();
  await desk.mouse.wheel(0, 100_000);
  await desk.getByRole('button', { name: 'Show more' }).click();
  await expect(first).toHaveAttribute('aria-setsize', String(CLOSED_PAGE + 4));
  await desk.mouse.wheel(0, 100_000);
  await expect(desk.getByRole('listitem').last()).toContainText(`Visitor ${CLOSED_PAGE + 5}`);
  await expect(desk.getByRole('button', { name: 'Show more' })).toHaveCount(0);
});

type Recorded = { badges: number[]; sounds: number[] };

function alerts(desk: Page): Promise<Recorded> {
  return desk.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded);
}

/** The real APIs still run; this only records the calls. */
function recordAlerts(): void {
  const recorded: Recorded = { badges: [], sounds: [] };
  Object.assign(globalThis, { recorded });
  const { setAppBadge, clearAppBadge } = Navigator.prototype;
  Navigator.prototype.setAppBadge = function (count) {
    recorded.badges.push(count ?? -1);
    return setAppBadge.call(this, count);
  };
  Navigator.prototype.clearAppBadge = function () {
    recorded.badges.push(0);
    return clearAppBadge.call(this);
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (when) {
    recorded.sounds.push(performance.now());
    return start.call(this, when);
  };
}

test('[QUEUE-15] [QUEUE-16] several chats are selected by keyboard and pointer, closed after one question, and reopened by Undo', async ({
  page: desk,
}) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'Adaeze', text: 'Hello', minutesAgo: 6, unread: 2, waitingMinutes: 6 },
    { name: 'Jonas', text: 'Hello', minutesAgo: 7, from: 'owner' },
    { name: 'Tomás', text: 'Hello', minutesAgo: 8, markedUnread: true },
  ]);
  await signIn(desk, handler);
  await expect(names(desk)).toHaveText(['Adaeze', 'Jonas', 'Tomás']);
  const heights = await desk
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((each) => each.clientHeight));
  expect(heights).toEqual([72, 72, 72]);

  await desk.getByRole('button', { name: 'Select chats' }).click();
  await desk.getByRole('checkbox', { name: /Adaeze/ }).focus();
  await desk.keyboard.press('Space');
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('ArrowDown');
  await expect(desk.getByRole('checkbox', { name: /Tomás/ })).toBeFocused();
  await desk.keyboard.press('Space');
  await expect(desk.getByText('2 selected')).toBeVisible();
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  await desk.getByRole('dialog', { name: 'Close 2 chats?' }).getByRole('button', { name: 'Close 2' }).click();
  await expect(names(desk)).toHaveText(['Jonas']);
  await desk.getByRole('button', { name: /^Undo/ }).click();
  await expect(names(desk)).toHaveText(['Adaeze', 'Jonas', 'Tomás']);
  await expect(desk.getByRole('checkbox')).toHaveCount(0);
});

test('[QUEUE-08] [QUEUE-11] the strip opens the Waiting filter; a snoozed chat leaves the queue and can be recalled', async ({
  page: desk,
}) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'Short', text: 'Hello', minutesAgo: 6, waitingMinutes: 6 },
    { name: 'Long', text: 'Hello', minutesAgo: 5, waitingMinutes: 26 },
    { name: 'Done', text: 'Hello', minutesAgo: 1, from: 'owner' },
  ]);
  await signIn(desk, handler);
  // On a slow machine the next minute may have begun.
  await desk.getByRole('button', { name: /^2 waiting, longest 2[67]m$/ }).click();
  await expect(names(desk)).toHaveText(['Long', 'Short']);

  await row(desk, 'Long').getByRole('link').click();
  await fromPalette(desk, 'snooze', /^Snooze/);
  await desk.getByRole('dialog').getByRole('button', { name: 'Tomorrow morning' }).click();
  await expect(desk.getByText('Snoozed the chat with Long.')).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  await expect(names(desk)).toHaveText(['Done', 'Short']);
  await pill(desk, /^Snoozed/).click();
  await expect(row(desk, 'Long')).toContainText('Until');
  await row(desk, 'Long').getByRole('link').click();
  await fromPalette(desk, 'end snooze', /^End snooze/);
  await expect(desk.getByRole('heading', { name: 'My Queue (3)' })).toBeVisible();
});

test('[QUEUE-09] Close opens the chat that has waited longest, if the handler chose that', async ({
  page: desk,
}) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'First', text: 'Hello', minutesAgo: 1, waitingMinutes: 1 },
    { name: 'Second', text: 'Hello', minutesAgo: 6, waitingMinutes: 6 },
    { name: 'Third', text: 'Hello from the third', minutesAgo: 5, waitingMinutes: 26 },
  ]);
  await signIn(desk, handler);
  await desk
    .getByRole('button', { name: /^You and your settings/ })
    .first()
    .click();
  await desk.getByRole('menuitemradio', { name: 'Next waiting chat' }).click();
  await desk.keyboard.press('Escape');
  await row(desk, 'First').getByRole('link').click();
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(desk.getByRole('log').getByText('Hello from the third')).toBeVisible();
  await expect(names(desk)).toHaveText(['Third', 'Second']);
});
