import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aChat } from '../../test/aDesk.ts';
import { emulateTouch, touchSize } from '../../test/browser.ts';
import { idOf } from '../../test/chats.ts';
import { Refused } from '../../test/fakeGateway.ts';
import {
  addressOf,
  agedChat,
  composer,
  expectAddress,
  focus,
  fromPalette,
  palette,
  press,
  queueRow,
  renderConsole,
} from '../../test/renderConsole.tsx';
import { sessionStore } from '../staff/session.ts';
import { HandlerTest } from './handlerTest/HandlerTest.tsx';

const NAME = 'Bartholomäus von Ingelfingen-Hohenlohe';

test.each([
  { width: 1_920, panes: ['Console', 'My Queue', 'Details'] },
  { width: 1_280, panes: ['Console', 'My Queue', 'Details'] },
  { width: 900, panes: ['Console', 'My Queue'] },
  { width: 768, panes: [] },
  { width: 360, panes: [] },
])(
  '[H-04] at $width px the panes fit, and every control is large enough for a finger',
  async ({ width, panes }) => {
    await page.viewport(width, 800);
    await emulateTouch();
    const chat = aChat(NAME, ['Hello?']);
    const path = `/handler/conversation/${chat.conversation.id}`;
    const { screen } = await renderConsole({ path, chats: [chat] });
    await expect.element(screen.getByRole('log').getByText('Hello?')).toBeVisible();
    const all = {
      Console: screen.getByRole('navigation', { name: 'Console' }),
      'My Queue': screen.getByRole('region', { name: 'My Queue' }),
      Details: screen.getByRole('complementary', { name: 'Details' }),
    };
    const shown = () => Object.entries(all).filter(([, pane]) => pane.elements().length > 0);
    expect(shown().map(([name]) => name)).toEqual(panes);
    await expect.element(screen.getByRole('heading', { name: NAME, level: 1 })).toBeVisible();
    await expect.element(screen.getByText('Chat with Settee')).toBeVisible();

    const button = (name: string) => screen.getByRole('button', { name, exact: true });
    const inReach = async (target: Locator, name: string) => {
      await expect.element(target).toBeVisible();
      const touch = touchSize(target.element());
      expect(Math.min(touch.width, touch.height), name).toBeGreaterThanOrEqual(44);
      expect(boxOf(target).right, name).toBeLessThanOrEqual(width);
    };
    for (const name of ['Back to Queue', 'More']) await inReach(button(name), name);
    // There is one bell at every width: in the header, or in the rail beside it.
    await inReach(screen.getByRole('button', { name: 'Notifications' }), 'Notifications');
    const phone = width < 900;
    if (phone) await button('More').click();
    for (const name of ['Close', 'Block', 'Sign Out']) {
      await inReach(phone ? screen.getByRole('menuitem', { name }) : button(name).first(), name);
    }
    if (phone) await userEvent.keyboard('{Escape}');
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);

    if (width >= 1_280) {
      const widths = shown().map(([, pane]) => pane.element().getBoundingClientRect().width);
      expect(widths).toEqual([64, 344, 284]);
      await expect.element(button('Details')).not.toBeInTheDocument();
    } else {
      if (phone) await button('More').click();
      await (phone ? screen.getByRole('menuitem', { name: 'Details' }) : button('Details')).click();
      const sheet = screen.getByRole('dialog', { name: 'Details' });
      await expect.element(sheet.getByText(/^V-/)).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(sheet).not.toBeInTheDocument();
      await expect.element(button(phone ? 'More' : 'Details')).toHaveFocus();
    }
    expect(location.pathname).toBe(path);
    await button('Back to Queue').click();
    await expect.element(all['My Queue']).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Type your message...' }))
      .not.toBeInTheDocument();
  },
);

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
  const notice = page.getByText('You’re offline. Messages will send when you’re back.');
  await expect.element(notice).toBeVisible();
  expect(boxOf(notice).top).toBeLessThan(boxOf(title).top);
  gateway.restore();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(page.getByText(consoleTexts.caughtUp)).not.toBeVisible();
});

test('[R-06] each page and step of the console has its own title', async () => {
  const signedOut = { refreshStaff: () => new Refused('unauthenticated') };
  // The page asks for it after its title, if its script is fast.
  const account = { readAccount: () => new Refused('unavailable') };
  const steps = [
    ['/handler', 'Sign in · Settee · Console', signedOut],
    ['/handler', 'Settee · Console'],
    [`/handler/conversation/${idOf('Jonas Weber')}`, 'Jonas Weber · Settee · Console'],
    ['/handler/security', 'Sign-in security · Settee · Console', account],
    ['/handler?denied', 'Access Denied · Settee · Console'],
  ] as const;
  for (const [path, title, answers] of steps) {
    const chats = [aChat('Jonas Weber', ['Hello', { sender: 'owner', text: 'Hello' }])];
    const { screen } = await renderConsole({ path, chats, atOnce: true, ...(answers && { answers }) });
    await expect.poll(() => document.title).toBe(title);
    await screen.unmount();
  }
  await render(<HandlerTest session={sessionStore()} />);
  await expect.poll(() => document.title).not.toBe('Access Denied · Settee · Console');
  expect(steps.map(([, title]) => title)).not.toContain(document.title);
});

test('Back closes an overlay of the console before it leaves the conversation', async () => {
  await page.viewport(1100, 800);
  await renderConsole({ chats: [aChat('Jonas Weber'), aChat('Adaeze Obi')] });
  const dialog = page.getByRole('dialog');
  await queueRow('Jonas').click();
  await expectAddress(addressOf('Jonas Weber'));

  // Back closes the overlay and keeps the conversation. With two overlays, it closes one at a time.
  await fromPalette('details', /^Details/);
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await press('Control+k');
  await expect.element(palette).toBeVisible();
  for (const overlay of [palette, dialog]) {
    await expect.element(overlay).toBeVisible();
    history.back();
    await expect.element(overlay).not.toBeInTheDocument();
  }
  await expectAddress(addressOf('Jonas Weber'));

  // After closing in another way, one Back goes from the conversation to the queue.
  await fromPalette('block', /^Block visitor/);
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await press('Escape');
  await expect.element(dialog).not.toBeInTheDocument();
  history.back();
  await expectAddress('/handler');

  // From the palette to another chat and back.
  await queueRow('Jonas').click();
  await expectAddress(addressOf('Jonas Weber'));
  await press('Control+k');
  await expect.element(palette).toBeVisible();
  await press('Escape');
  await expect.element(palette).not.toBeInTheDocument();
  await queueRow('Adaeze').click();
  await expectAddress(addressOf('Adaeze Obi'));
  history.back();
  await expectAddress(addressOf('Jonas Weber'));
  history.back();
  await expectAddress('/handler');
});
