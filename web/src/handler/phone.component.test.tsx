import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { ana } from '../../test/aDesk.ts';
import { addressOf, agedChat, composer, focus, press } from '../../test/byKeyboard.ts';
import { emulateTouch } from '../../test/emulate.ts';
import { renderConsole } from '../../test/renderConsole.tsx';

const log = page.getByRole('log');
const send = page.getByRole('button', { name: 'Send', exact: true });
const boxOf = (element: Locator) => element.element().getBoundingClientRect();
/** The header of the open conversation. */
const header = () =>
  page.elementLocator(
    [...document.querySelectorAll('header')].find((each) => each.textContent.includes('Chat with')) ??
      document.body,
  );
const composerForm = () => page.elementLocator(document.querySelector('form') ?? document.body);

async function openChat() {
  const text = 'May I read it to them tomorrow?';
  const path = addressOf('Jonas Weber');
  const opened = await renderConsole({ path, chats: [agedChat('Jonas Weber', text, 1)] });
  await expect.element(page.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  await expect.element(log.getByText(text)).toBeVisible();
  await expect.element(send).toBeVisible();
  return opened;
}

test('on a phone the header is one row, the composer one line, and the messages get the rest', async () => {
  await page.viewport(390, 844);
  await emulateTouch();
  await openChat();
  await expect.poll(() => boxOf(header()).height).toBeLessThanOrEqual(57);
  await expect.poll(() => boxOf(log).height).toBeGreaterThanOrEqual(0.6 * 844);
  await expect.poll(() => boxOf(composerForm()).height).toBeLessThanOrEqual(61);
  for (const name of ['Back to Queue', 'Notifications', 'More']) {
    const { width, height } = boxOf(header().getByRole('button', { name }));
    expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44);
  }
  await header().getByRole('button', { name: 'More' }).click();
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toBeVisible();
  expect(items.elements().map(({ textContent }) => textContent)).toEqual([
    'Close',
    'Hand over',
    'Mark unread',
    'Snooze',
    'Details',
    'Block',
    expect.stringMatching(new RegExp(`Sign Out.*${ana.alias}`)),
  ]);
  const lowest = () => Math.min(...items.elements().map((item) => item.getBoundingClientRect().height));
  await expect.poll(lowest).toBeGreaterThanOrEqual(44);
  await press('Escape');

  // It grows on focus, with the switch in a row below the text.
  await composer.click();
  await expect.poll(() => boxOf(composerForm()).height).toBeGreaterThan(80);
  // The keyboard hint is hidden, but a screen reader still reads it.
  const hint = 'Press Enter to send, Shift+Enter for new line';
  await expect.element(composer).toHaveAccessibleDescription(hint);
  await expect.element(composerForm().getByText(hint).first()).not.toBeVisible();
  await page.getByRole('tab', { name: 'Note' }).click();
  await expect.element(page.getByPlaceholder('Write a note that only staff see...')).toHaveFocus();
  await expect.element(page.getByText('Only staff see this', { exact: true }).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Reply' }).click();
  await expect.element(composer).toHaveFocus();
});

test.each([
  [320, 256, 96],
  [390, 330, 96],
  // There the whole page scrolls, at a height of 420 px.
  [1280, 256, 200],
])('at %i × %i px messages and composer can be read and used', async (width, height, least) => {
  await page.viewport(width, height);
  await openChat();
  for (const focused of [composer, log]) {
    await focus(focused);
    await expect.poll(() => boxOf(log).height).toBeGreaterThanOrEqual(least);
    // A person can scroll only the page: `scrollIntoView` would also move what is cut off.
    scrollTo(0, document.documentElement.scrollHeight);
    await expect.element(send).toBeInViewport({ ratio: 1 });
  }
  // The focus is in the messages: the composer has one line, and the header only the name.
  await expect.poll(() => boxOf(composerForm()).height).toBeLessThanOrEqual(72);
  expect(boxOf(header()).height).toBeLessThanOrEqual(56);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test('messages and composer are at most 800 px wide, and centred', async () => {
  await page.viewport(1920, 1080);
  await openChat();
  const middle = () => boxOf(log).left + boxOf(log).width / 2;
  const left = () => middle() - (document.querySelector('[data-seq="1"]')?.getBoundingClientRect().left ?? 0);
  const right = () => boxOf(send).right - middle();
  await expect.poll(left).toBeLessThanOrEqual(401);
  await expect.poll(right).toBeLessThanOrEqual(401);
  await expect.poll(() => Math.abs(left() - right())).toBeLessThan(5);
  expect(left()).toBeGreaterThan(300);
});

test.each([
  [1000, ['Back to Queue', 'Details', 'Close', 'Block', 'More']],
  [390, ['Back to Queue', 'Notifications', 'More']],
])(
  'at %i px Tab follows the visual order of a conversation, and a skip link leads to its messages',
  async (width, order) => {
    await page.viewport(width, 800);
    await openChat();
    await expect.element(page.getByRole('region', { name: 'Jonas Weber' })).toBeInTheDocument();
    await expect.element(composer).toHaveFocus();
    // Visible only while it has the focus.
    (page.getByRole('link', { name: 'Skip to the messages' }).element() as HTMLElement).focus();
    await press('Enter');
    await expect.element(log).toHaveFocus();

    await focus(header().getByRole('button', { name: 'Back to Queue' }));
    const places: number[] = [];
    for (const name of order) {
      const button = header().getByRole('button', { name, exact: true });
      await expect.element(button).toHaveFocus();
      places.push(boxOf(button).left);
      await press('Tab');
    }
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  },
);

test('on a phone the queue also shows that the console is offline', async () => {
  await page.viewport(390, 844);
  const { gateway } = await renderConsole({ chats: [] });
  const title = page.getByRole('heading', { name: /^My Queue/ });
  await expect.element(title).toBeVisible();
  gateway.drop();
  // The browser reports it, so the page does not wait.
  dispatchEvent(new Event('offline'));
  const notice = page.getByText("You're offline. Messages will send when you're back.");
  await expect.element(notice).toBeVisible();
  expect(boxOf(notice).top).toBeLessThan(boxOf(title).top);
  gateway.restore();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(page.getByText(consoleTexts.caughtUp)).not.toBeVisible();
});
