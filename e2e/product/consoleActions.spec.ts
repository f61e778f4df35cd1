import type { Page } from '@playwright/test';
import { createHandler } from './accounts.ts';
import { chatOfTwo, expectTexts, newPerson, send, signIn } from './people.ts';
import { expect, test } from './watched.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, item: string): Promise<void> {
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('[CONSOLE-33] [S-09] Close can be undone for 10 s, longer while the toast has pointer or focus; Block asks first', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Jonas Weber');
  await send(visitor, 'Good morning');
  await expectTexts(desk, ['Good morning']);
  const address = desk.url();
  const toast = desk.getByRole('status').filter({ hasText: 'Closed the chat with Jonas Weber.' });
  await desk.clock.install();

  await button(desk, 'Close').click();
  await expect(desk).toHaveURL('/handler');
  await expect(toast).toBeVisible();
  await expect(button(desk, 'Close')).toHaveCount(0);
  // With the keyboard, Undo is the next element. The toast waits while it has the focus.
  await desk.keyboard.press('Tab');
  await expect(desk.getByRole('button', { name: 'Undo' })).toBeFocused();
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(
    visitor.getByText('This conversation was closed. Sending a message reopens it.'),
  ).toBeVisible();
  await desk.clock.runFor(20_000);
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(address);
  await expect(desk.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
  await expect(visitor.getByText('This conversation was closed.')).toHaveCount(0);
  await expectTexts(desk, ['Good morning']);
  await expect(desk.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();

  await button(desk, 'Block').click();
  const question = desk.getByRole('dialog', { name: 'Block Jonas Weber?' });
  await expect(question).toContainText(
    'They can still read the conversation, but nothing they write will reach you.',
  );
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(button(desk, 'Block')).toBeFocused();
  await expect(desk).toHaveURL(address);

  await button(desk, 'Close').click();
  await expect(toast).toBeVisible();
  await desk.getByText('Closed the chat with Jonas Weber.').hover();
  await desk.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await desk.mouse.move(900, 300);
  await desk.clock.runFor(10_500);
  await expect(desk.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await desk.goto(address);
  await expect(desk.getByText('This conversation is closed')).toBeVisible();
  await button(desk, 'Reopen').click();
  await expect(button(desk, 'Close')).toBeVisible();

  // An error appears where the action was tried, and nothing changed.
  await desk.route('**/status', (route) => route.abort());
  await button(desk, 'Close').click();
  await expect(desk.getByRole('alert').filter({ hasText: 'Network error' })).toBeVisible();
  await desk.unroute('**/status');
  await button(desk, 'Block').click();
  await question.getByRole('button', { name: 'Block' }).click();
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
});

test('[CONSOLE-28] [H-08] hand-over takes a desk and a note; the old page can only be read until the chat returns', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Mia');
  const other = createHandler();
  await send(visitor, 'Who are you?');
  await expectTexts(desk, ['Who are you?']);
  const { page: second } = await newPerson(browser);
  await signIn(second, handler);
  await second.goto(desk.url());
  await expectTexts(second, ['Who are you?']);
  await second.getByPlaceholder('Type your message...').fill('half a thought');

  await desk.route('**/desks', (route) => route.abort());
  await choose(desk, 'Hand over');
  const dialog = desk.getByRole('dialog', { name: 'Hand over the chat with Mia' });
  await expect(dialog.getByText("Couldn't load the desks.")).toBeVisible();
  await desk.unroute('**/desks');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('radio', { name: new RegExp(`${other.alias}.*offline`) })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: new RegExp(handler.alias) })).toHaveCount(0);
  const submit = dialog.getByRole('button', { name: 'Hand over' });
  await expect(submit).toBeDisabled();
  await dialog.getByRole('radio', { name: new RegExp(other.alias) }).check();
  await dialog.getByLabel('Note for the next handler').fill('She asked for you');
  await desk.route('**/transfer', (route) => route.abort());
  await submit.click();
  await expect(dialog.getByText('Network error')).toBeVisible();
  await desk.unroute('**/transfer');
  await submit.click();
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText(`Handed over to ${other.alias}.`)).toBeVisible();
  await expect(desk.getByText('No conversations')).toBeVisible();

  // The other window of the same desk had it open.
  await expect(second.getByText('This conversation is no longer at your desk.')).toBeVisible();
  await expectTexts(second, ['Who are you?']);
  await expect(second.getByPlaceholder('Type your message...')).toHaveCount(0);
  for (const name of ['Close', 'Block', 'More']) await expect(button(second, name)).toBeDisabled();
  // For the other handlers of the old desk it does not exist.
  await desk.goto(second.url());
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('Conversation not found')).toBeVisible();
  await expect(desk.getByText('Who are you?')).toHaveCount(0);

  // The other desk gets it, marked and with the note. The visitor notices nothing.
  const { page: taker } = await newPerson(browser);
  await signIn(taker, other);
  const row = taker.getByRole('link', { name: /Mia/ });
  await expect(row).toContainText('Marked unread');
  await row.click();
  await expect(taker.getByRole('log')).toContainText(`from ${handler.alias} to ${other.alias}`);
  await expect(taker.getByRole('log')).toContainText('She asked for you');
  await expect(row).not.toContainText('Marked unread');
  await send(taker, 'The one you asked for');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for']);
  await expect(visitor.getByText('She asked for you')).toHaveCount(0);
  await choose(taker, 'Mark unread');
  await expect(taker).toHaveURL('/handler');
  await expect(row).toContainText('Marked unread');

  // The chat returns. The page that had it open can be written in again.
  await row.click();
  await choose(taker, 'Hand over');
  const returning = taker.getByRole('dialog', { name: 'Hand over the chat with Mia' });
  await returning.getByRole('radio', { name: new RegExp(handler.alias) }).check();
  await returning.getByRole('button', { name: 'Hand over' }).click();
  await expect(taker).toHaveURL('/handler');
  await expect(second.getByText('This conversation is no longer at your desk.')).toHaveCount(0);
  await expectTexts(second, ['Who are you?', 'The one you asked for']);
  await send(second, 'Back again');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for', 'Back again']);
});
