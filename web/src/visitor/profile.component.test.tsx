import { defaultBrand } from '@settee/protocol/model/brand';
import type { Sender } from '@settee/protocol/model/message';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { messages, threadOf } from '../../test/aThread.tsx';
import { emulateMedia, emulateTouch, touchSize } from '../../test/browser.ts';
import { addMessage, idOf } from '../../test/chats.ts';
import { Foreign, Refused } from '../../test/fakeGateway.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';
import { watchTooltips } from '../ui/tooltipWatch.ts';
import { useTabBadge } from './bell/useReplyAlerts.ts';
import { ChatHeader } from './ChatHeader.tsx';

const OFFLINE = 'Typically replies in a few minutes';
const bell = page.getByRole('button', { name: 'Notifications' });
const motionOf = () => getComputedStyle(bell.element().querySelector('svg') as Element).animationName;

test('[B-01] [B-05] [B-06] Loading... shows while the visitor is being signed in, then an empty conversation', async () => {
  await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
  const signedIn = Promise.withResolvers<{ visitorId: string; idToken: string; expiresAt: number }>();
  const { screen } = await renderVisitor({
    path: '/chat',
    atOnce: true,
    answers: { signInAnonymously: () => signedIn.promise },
  });
  const main = screen.getByRole('main');
  await expect.element(main.getByText('Loading...')).toBeVisible();
  await expect.element(bell).toHaveAttribute('data-state', 'loading');
  expect(motionOf()).toContain('pulse');
  signedIn.resolve({ visitorId: idOf('visitor'), idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  expect(motionOf()).toBe('none');
  await expect.element(main).toBeVisible();
  await expect.element(main).toBeEmptyDOMElement();
});

test('[B-02] [B-06] Auth Error shows when the sign-in fails, with a muted bell and Retry', async () => {
  const { screen, gateway } = await renderVisitor({
    path: '/chat',
    atOnce: true,
    answers: { signInAnonymously: () => new Foreign(502, 'Bad Gateway') },
  });
  const title = screen.getByRole('heading', { name: 'Auth Error' });
  await expect.element(title).toBeVisible();
  await expect.element(bell).toHaveAttribute('data-state', 'muted');
  await bell.click({ force: true });
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  // An answer without a visitor id is not enough.
  const { success, ...token } = { success: true, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 };
  gateway.answer('signInAnonymously', () => new Foreign(200, 'OK', JSON.stringify({ success, ...token })));
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => gateway.asked('signInAnonymously').length).toBe(2);
  await expect.element(title).toBeVisible();
  gateway.answer('signInAnonymously', { visitorId: idOf('visitor'), ...token });
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  await expect.element(title).not.toBeInTheDocument();
});

test('[B-03] [B-04] [R-06] [K-04] the header shows the profile and whether a handler is online, live', async () => {
  const brand = { displayName: 'Mara Anna Lindqvist', verified: true, avatarUrl: '/nowhere.png' };
  const { screen, gateway } = await renderVisitor({ path: '/chat', brand, online: false });
  const header = screen.getByRole('banner');
  const dot = () => header.element().querySelector('[class*=dot]');
  await expect.element(header.getByRole('heading', { name: /^Mara Anna Lindqvist/ })).toBeVisible();
  await expect.poll(() => document.title).toBe('Mara Anna Lindqvist');
  await expect.element(header.getByText('MA', { exact: true })).toBeVisible();
  await expect.element(header.getByRole('img', { name: 'This is the official profile.' })).toBeVisible();
  await expect.element(header.getByText(OFFLINE)).toBeVisible();
  expect(dot()).toBeNull();

  gateway.push({ type: 'presence', online: true });
  await expect.element(header.getByText('Online')).toBeVisible();
  expect(dot()).not.toBeNull();
  await expect.element(header.getByText(OFFLINE)).not.toBeInTheDocument();
});

test.each([
  ['/chat', { path: '/chat' }, OFFLINE],
  ['an invite', { attached: false }, texts.nobodyHere],
] as const)(
  '[B-08] %s shows Checking status... until the status is known',
  async (_page, options, nobody) => {
    // The page asks after 100 ms, which must not pass before the answers are held.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { screen, gateway } = await renderVisitor({ ...options, atOnce: true, online: false });
    // A socket that opens and sends nothing.
    gateway.onFrame.hello = () => [];
    const release = gateway.hold('readBrand');
    const status = screen.getByText('Checking status...');
    await expect.poll(() => gateway.received('hello').length + gateway.asked('readBrand').length).toBe(2);
    await expect.element(status).toBeVisible();
    release();
    await expect.element(screen.getByText(nobody)).toBeVisible();
    await expect.element(status).not.toBeInTheDocument();
  },
);

test('[B-10] while the on-screen keyboard is open the header stays and the body shrinks', async () => {
  await page.viewport(360, 740);
  const { screen } = await renderVisitor({ path: '/chat' });
  await expect.element(bell).toHaveAttribute('data-state', 'normal');
  const header = () => screen.getByRole('banner').element().getBoundingClientRect().toJSON() as DOMRect;
  const height = () => screen.getByRole('main').element().getBoundingClientRect().height;
  const before = { header: header(), height: height() };
  await page.viewport(360, 340);
  await expect.poll(height).toBe(before.height - 400);
  expect(header()).toEqual(before.header);
  await expect.element(screen.getByRole('banner')).toBeInViewport({ ratio: 1 });
  expect(document.documentElement.scrollHeight).toBe(340);
});

const profile = { brand: defaultBrand, presence: 'online' } as const;

test('outside the opening hours the header does not show Online', async () => {
  const screen = await render(<ChatHeader profile={profile} connecting={false} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.online);
  await screen.rerender(<ChatHeader profile={profile} connecting={false} away />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.nobodyHere);
  await expect.element(screen.getByText(texts.online)).not.toBeInTheDocument();
});

test.each(['an invite', 'a chat'])(
  'nobody is promised to reply at %s before there are figures',
  async (where) => {
    const shown = { attached: where === 'a chat', online: false };
    const first = await renderVisitor(shown);
    await expect.element(first.screen.getByText('Nobody is here right now')).toBeVisible();
    await expect.element(first.screen.getByText(/usually|typically/i)).not.toBeInTheDocument();
    await first.screen.unmount();
    const { screen } = await renderVisitor({ ...shown, name: 'Mia', brand: { usualReplyMinutes: 10 } });
    await expect.element(screen.getByText('Usually replies within 10 minutes').first()).toBeVisible();
  },
);

test('[V-08] the badge’s tooltip says that this is the official profile, and stays within a phone’s width', async () => {
  watchTooltips();
  await page.viewport(360, 640);
  const brand = {
    ...defaultBrand,
    displayName: 'A name that is longer than a phone is wide',
    verified: true,
  };
  const screen = await render(<ChatHeader profile={{ ...profile, brand }} connecting={false} />);
  await screen.getByRole('img', { name: 'This is the official profile.' }).hover();
  const tip = screen.getByRole('tooltip', { name: 'This is the official profile.' });
  await expect.element(tip).toBeVisible();
  await expect.poll(() => tip.element().getBoundingClientRect().right).toBeLessThanOrEqual(360);
  expect(tip.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(0);
});

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const browserIs = (userAgent: string) =>
  vi.spyOn(Navigator.prototype, 'userAgent', 'get').mockReturnValue(userAgent);

afterEach(() => void vi.restoreAllMocks());

test('[V-09] the bell appears with the name, and a finger has 44 by 44 px', async () => {
  await emulateTouch();
  const { screen } = await renderVisitor({ attached: false });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByLabelText('Display Name')).toBeVisible();
  await expect.element(bell).not.toBeInTheDocument();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(bell).toBeVisible();
  expect(touchSize(bell.element())).toEqual({ width: 44, height: 44 });
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
  // The code that works is shown, and no new one is made.
  expect(first.gateway.asked('renewCode')).toEqual([]);
  await sheet.getByRole('button', { name: 'Got it' }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await first.screen.unmount();

  const { screen, gateway } = await renderVisitor({
    name: 'Mia',
    messages: [{ sender: 'owner', text: 'Here I am' }],
    conversation: { continueCode: null },
    answers: { renewCode: () => new Refused('unavailable') },
  });
  await expect.element(screen.getByText('Here I am', { exact: true })).toBeVisible();
  const open = async () => {
    await screen.getByRole('button', { name: 'More' }).click();
    await expect.element(sheet).not.toBeInTheDocument();
    await screen.getByRole('menuitem', { name: 'Get notifications' }).click();
    await expect.element(sheet).toBeVisible();
  };
  // While no code works, none is shown, neither while the next one is made nor if that fails.
  const release = gateway.hold('renewCode');
  await open();
  await expect.poll(() => steps()[2]).toBe('Open it, enter code …, tap Enable');
  release();
  await expect.poll(() => steps()[2]).toBe('Open it, enter a code from your first device, tap Enable');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();

  gateway.answer('renewCode', { continueCode: '7305' });
  await open();
  await expect.poll(() => steps()[2]).toBe('Open it, enter code 7305, tap Enable');
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

function Tab({ count }: { count: number }) {
  const replies = Array.from({ length: count }, (): [Sender, string] => ['owner', 'Hello.']);
  useTabBadge({ name: 'Mara Lindqvist', state: threadOf(messages(...replies), { looked: 1 }) });
  return null;
}

function hide(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(() => vi.restoreAllMocks());

test('title and icon show unread replies while the tab is in the background', async () => {
  const icon = document.createElement('link');
  icon.rel = 'icon';
  document.head.prepend(icon);
  const screen = await render(<Tab count={1} />);
  expect(document.title).toBe('Mara Lindqvist');
  hide(true);
  await screen.rerender(<Tab count={3} />);
  await expect.poll(() => document.title).toBe('(2) Mara Lindqvist');
  expect(icon.href).toContain('/favicon-unread.svg');
  hide(false);
  await expect.poll(() => document.title).toBe('Mara Lindqvist');
  expect(icon.href).toContain('/favicon.svg');
  icon.remove();
});
