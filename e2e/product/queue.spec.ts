import type { Locator, Page } from '@playwright/test';
import { CLOSED_PAGE } from '@settee/protocol/model/conversation';
import { createHandler } from './accounts.ts';
import { makeConversations } from './database.ts';
import { fromPalette } from './pages.ts';
import { signIn } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const row = (desk: Page, name: string): Locator => desk.getByRole('listitem').filter({ hasText: name });
const names = (desk: Page): Locator => desk.getByRole('listitem').locator('b');
const pill = (desk: Page, name: RegExp): Locator =>
  desk.getByRole('group', { name: 'Filter conversations' }).getByRole('button', { name });

test(
  'closed conversations load page by page, can be read, and reopened',
  alsoInFirefox,
  async ({ page: desk }) => {
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
  },
);

test(
  'several chats are selected by keyboard and pointer, closed after one question, and reopened by Undo',
  alsoInFirefox,
  async ({ page: desk }) => {
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
    await desk
      .getByRole('dialog', { name: 'Close 2 chats?' })
      .getByRole('button', { name: 'Close 2' })
      .click();
    await expect(names(desk)).toHaveText(['Jonas']);
    await desk.getByRole('button', { name: /^Undo/ }).click();
    await expect(names(desk)).toHaveText(['Adaeze', 'Jonas', 'Tomás']);
    await expect(desk.getByRole('checkbox')).toHaveCount(0);
  },
);

test(
  'the strip opens the Waiting filter; Close opens the next waiting chat; a snoozed chat leaves the queue and can be recalled',
  alsoInFirefox,
  async ({ page: desk }) => {
    const handler = createHandler();
    await makeConversations(handler.alias, [
      { name: 'Short', text: 'Hello', minutesAgo: 6, waitingMinutes: 6 },
      { name: 'Long', text: 'Are you there?', minutesAgo: 5, waitingMinutes: 26 },
      { name: 'Done', text: 'Hello', minutesAgo: 1, from: 'owner' },
    ]);
    await signIn(desk, handler);
    await desk
      .getByRole('button', { name: /^You and your settings/ })
      .first()
      .click();
    await desk.getByRole('menuitemradio', { name: 'Next waiting chat' }).click();
    await desk.keyboard.press('Escape');
    await row(desk, 'Done').getByRole('link').click();
    await desk.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(desk.getByRole('log').getByText('Are you there?')).toBeVisible();
    await expect(desk.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
    await expect(names(desk)).toHaveText(['Long', 'Short']);

    // On a slow machine the next minute may have begun.
    await desk.getByRole('button', { name: /^2 waiting, longest 2[67]m$/ }).click();
    await expect(desk).toHaveURL(/\?show=waiting$/);
    await row(desk, 'Long').getByRole('link').click();
    await fromPalette(desk, 'snooze', /^Snooze/);
    await desk.getByRole('dialog').getByRole('button', { name: 'Tomorrow morning' }).click();
    await expect(desk.getByText('Snoozed the chat with Long.')).toBeVisible();
    await expect(desk.getByRole('heading', { name: 'My Queue (1)' })).toBeVisible();
    await expect(names(desk)).toHaveText(['Short']);
    await pill(desk, /^Snoozed/).click();
    await expect(row(desk, 'Long')).toContainText('Until');
    await row(desk, 'Long').getByRole('link').click();
    await fromPalette(desk, 'end snooze', /^End snooze/);
    await expect(desk.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  },
);
