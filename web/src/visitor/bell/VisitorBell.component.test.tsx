import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addMessage } from '../../../test/fakeChats.ts';
import { Refused } from '../../../test/fakeGateway.ts';
import { renderVisitor } from '../../../test/renderVisitor.tsx';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const browserIs = (userAgent: string) =>
  vi.spyOn(Navigator.prototype, 'userAgent', 'get').mockReturnValue(userAgent);
const bell = page.getByRole('button', { name: 'Notifications' });

afterEach(() => void vi.restoreAllMocks());

test('[V-09] the bell appears with the name, and measures 44 by 44 px', async () => {
  const { screen } = await renderVisitor({ attached: false });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByLabelText('Display Name')).toBeVisible();
  await expect.element(bell).not.toBeInTheDocument();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(bell).toBeVisible();
  const { width, height } = bell.element().getBoundingClientRect();
  expect([width, height]).toEqual([44, 44]);
});

test('[V-09] Safari has no bell: the menu opens the panel', async () => {
  browserIs(MAC);
  const { screen } = await renderVisitor();
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Get notifications' }).click();
  await expect.element(screen.getByRole('dialog', { name: /^Notifications/ })).toBeVisible();
  await expect.element(bell).not.toBeInTheDocument();
});

test('[V-09] on an iPhone the way to the Home Screen shows once, after the first answer, and from the menu', async () => {
  browserIs(IPHONE);
  await page.viewport(390, 720);
  const first = await renderVisitor({ attached: false });
  await first.screen.getByRole('button', { name: 'Start chat' }).click();
  await first.screen.getByLabelText('Display Name').fill('Mia');
  await first.screen.getByRole('button', { name: 'Start Chatting' }).click();
  const composer = first.screen.getByPlaceholder('Message...');
  await expect.element(composer).toHaveFocus();
  const sheet = page.getByRole('dialog', { name: 'Get replies on this iPhone' });
  const steps = () =>
    sheet
      .getByRole('listitem')
      .elements()
      .map((step) => step.textContent);
  const message = addMessage(first.chat, { sender: 'owner', text: 'Here I am' });
  first.gateway.push({ type: 'message', message });
  await expect.element(first.screen.getByText('Here I am', { exact: true })).toBeVisible();
  await expect.element(bell).not.toBeInTheDocument();
  // Not while the visitor types.
  await expect.element(composer).toHaveFocus();
  await expect.element(sheet).not.toBeInTheDocument();
  (composer.element() as HTMLElement).blur();
  await expect.element(sheet).toBeVisible();
  expect(sheet.element().textContent).toContain(
    'Safari sends notifications only to chats on your Home Screen.',
  );
  expect(steps()).toEqual([
    'Tap Share in the toolbar',
    'Choose Add to Home Screen',
    'Open it, enter code 4821, tap Enable',
  ]);
  // The code of the banner is shown, and no new one is made.
  expect(first.gateway.asked('renewCode')).toEqual([]);
  await sheet.getByRole('button', { name: 'Got it' }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await first.screen.unmount();

  const { screen, gateway } = await renderVisitor({
    name: 'Mia',
    messages: [{ sender: 'owner', text: 'Here I am' }],
    answers: { renewCode: { continueCode: '7305' } },
  });
  await expect.element(screen.getByText('Here I am', { exact: true })).toBeVisible();
  const open = async () => {
    await screen.getByRole('button', { name: 'More' }).click();
    await expect.element(sheet).not.toBeInTheDocument();
    await screen.getByRole('menuitem', { name: 'Get notifications' }).click();
    await expect.element(sheet).toBeVisible();
  };
  await open();
  await expect.poll(() => steps()[2]).toBe('Open it, enter code 7305, tap Enable');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();

  // A code that may be used up is not shown, neither while the next one is created nor if that fails.
  gateway.answer('renewCode', () => new Refused('unavailable'));
  const release = gateway.hold('renewCode');
  await open();
  await expect.poll(() => steps()[2]).toBe('Open it, enter code …, tap Enable');
  release();
  await expect.poll(() => steps()[2]).toBe('Open it, enter a code from your first device, tap Enable');
});

test('in a background tab a new message shows a notice, without its text, if the visitor wants it', async () => {
  const notices: Notice[] = [];
  class Notice {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    readonly title: string;
    readonly body: string | undefined;
    onclick: (() => void) | undefined;
    closed = false;
    constructor(title: string, options?: NotificationOptions) {
      this.title = title;
      this.body = options?.body;
      notices.push(this);
    }
    close() {
      this.closed = true;
    }
  }
  vi.stubGlobal('Notification', Notice);
  const { screen, gateway, chat } = await renderVisitor({ brand: { displayName: 'Mara Lindqvist' } });
  const putInBackground = (hidden: boolean) => vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  const receive = async (text: string) => {
    gateway.push({ type: 'message', message: addMessage(chat, { sender: 'owner', text }) });
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  };
  const press = async (name: 'Enable' | 'Disable') => {
    await bell.click();
    await screen.getByRole('button', { name }).click();
    await expect
      .element(screen.getByRole('button', { name: name === 'Enable' ? 'Disable' : 'Enable' }))
      .toBeVisible();
    await userEvent.keyboard('{Escape}');
  };
  await expect.element(bell).toHaveAttribute('data-state', 'normal');

  putInBackground(true);
  await receive('Nobody asked for notices yet');
  await press('Enable');
  putInBackground(false);
  await receive('The tab is in front');
  expect(notices).toEqual([]);

  putInBackground(true);
  await receive('Now it is not');
  await expect.poll(() => notices).toMatchObject([{ title: 'Mara Lindqvist', body: 'New message' }]);
  await screen.getByPlaceholder('Message...').fill('Own text gives no notice');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Own text gives no notice')).toBeVisible();
  const focused = vi.spyOn(window, 'focus').mockReturnValue();
  notices[0]?.onclick?.();
  expect(focused).toHaveBeenCalledOnce();
  expect(notices[0]?.closed).toBe(true);

  await press('Disable');
  await receive('And off again');
  expect(notices).toHaveLength(1);
});
