import { defaultBrand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { pxFromEnd, scrollBy } from '../../test/aThread.tsx';
import { emulateTouch, frame } from '../../test/browser.ts';
import { inviteToken, renderVisitor } from '../../test/renderVisitor.tsx';
import { AwayNote } from './AwayNote.tsx';
import { EmptyChat, Greeting } from './EmptyChat.tsx';

afterEach(() => void vi.restoreAllMocks());

const tall = ['0', '1', '2', '3', '4'].map((text) => `${text}${'\n.'.repeat(6)}`);

test('[V-05] [V-10] [V-20] the chat shows header, code, an empty list and the composer, in a column of 700 px', async () => {
  const { screen } = await renderVisitor({ attached: false });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByRole('banner')).toBeVisible();
  await expect.element(screen.getByLabelText('Display Name')).toBeVisible();
  await expect.element(screen.getByRole('log')).not.toBeInTheDocument();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByText('Start the conversation', { exact: true })).toBeVisible();
  const boxes = ['header', 'aside', '[role=log]', 'textarea'].map((part) =>
    document.querySelector(part)?.getBoundingClientRect(),
  );
  const tops = boxes.map((box) => box?.top ?? -1);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  for (const box of boxes) expect(box?.width ?? 0).toBeLessThanOrEqual(700);
  expect(boxes[0]?.width).toBeGreaterThan(690);
});

const composerEnd = () => Math.round(document.querySelector('form')?.getBoundingClientRect().bottom ?? 0);

test('[V-13] [L-05] on iOS the page fits above the on-screen keyboard, and the list stays at its end', async () => {
  // On iOS the keyboard covers the page and only the visual viewport shrinks. No test browser has such a keyboard.
  const height = vi.spyOn(VisualViewport.prototype, 'height', 'get');
  const visible = (px: number) => {
    height.mockReturnValue(px);
    visualViewport?.dispatchEvent(new Event('resize'));
  };
  height.mockReturnValue(844);
  await page.viewport(390, 844);
  const { screen } = await renderVisitor({ messages: tall });
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  const log = screen.getByRole('log').element();
  await expect.poll(composerEnd).toBe(844);

  // A browser toolbar, not a keyboard. The page measures in the next frame.
  visible(760);
  await frame();
  await frame();
  expect(composerEnd()).toBe(844);
  visible(480);
  await expect.poll(composerEnd).toBe(480);
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
  await expect.element(screen.getByRole('banner')).toBeInViewport();
  expect(scrollY).toBe(0);
  // The page never gets too small to read.
  visible(90);
  await expect.poll(composerEnd).toBe(200);
  visible(844);
  await expect.poll(composerEnd).toBe(844);
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
});

test('[V-13] elsewhere the page shrinks, and the list scrolls again 100 ms later', async () => {
  await page.viewport(390, 844);
  const { screen } = await renderVisitor({ messages: tall });
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  const log = screen.getByRole('log').element();
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
  const later: (() => void)[] = [];
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    ms === 100 ? later.push(run) : real(run, ms)) as typeof setTimeout);

  await page.viewport(390, 480);
  await expect.poll(composerEnd).toBe(480);
  // The start of notifications waits 100 ms too.
  const ofList = () => later.filter(({ name }) => name !== 'refresh');
  await expect.poll(ofList).toHaveLength(1);
  // The list scrolls off its end while the keyboard opens. The page corrects this when the keyboard is open.
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
  await scrollBy(log, -60);
  await frame();
  expect(pxFromEnd(log)).toBe(60);
  ofList()[0]?.();
  expect(pxFromEnd(log)).toBeLessThan(1);
});

test('on a desktop a reloaded chat is ready for typing', async () => {
  const { screen } = await renderVisitor({ messages: ['hello'] });
  await expect.element(screen.getByPlaceholder('Message...')).toHaveFocus();
});

test('on a phone no keyboard opens with a reloaded chat', async () => {
  await emulateTouch();
  const { screen } = await renderVisitor({ messages: ['hello'] });
  await expect.element(screen.getByText('hello')).toBeVisible();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  await expect.element(screen.getByPlaceholder('Message...')).not.toHaveFocus();
});

test('[NET-08] while the connection is lost the header says so, and what is written meanwhile is sent afterwards', async () => {
  const { screen, gateway } = await renderVisitor({ messages: ['hello'] });
  const header = screen.getByRole('banner');
  await expect.element(header.getByText('Online')).toBeVisible();
  const field = screen.getByPlaceholder('Message...');
  await expect.element(field).toBeVisible();
  vi.useFakeTimers();
  gateway.drop();
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.element(header.getByText('Connecting...')).toBeVisible();
  await vi.advanceTimersByTimeAsync(3_000);
  await expect
    .element(screen.getByText('You’re offline. Messages will send when you’re back.'))
    .toBeVisible();
  await field.fill('typed meanwhile');
  await screen.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(screen.getByText('Sending...')).toBeVisible();
  gateway.restore();
  await expect.element(screen.getByText('Back online')).toBeVisible();
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(gateway.received('send')).toMatchObject([{ text: 'typed meanwhile' }]);
  await expect.element(screen.getByText('Back online')).not.toBeInTheDocument();
  await expect.element(header.getByText('Online')).toBeVisible();
});

test('Back closes an overlay of the visitor’s chat before it leaves', async () => {
  history.replaceState(null, '', '/before');
  history.pushState(null, '', '/i/chat');
  const { screen } = await renderVisitor();
  const address = `/i/${inviteToken}`;
  const more = screen.getByRole('button', { name: 'More' });
  const dialog = screen.getByRole('dialog');
  const open = async (item: string) => {
    await more.click();
    await screen.getByRole('menuitem', { name: item }).click();
    await expect.element(dialog).toBeVisible();
  };
  await more.click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
  // On a phone that lies on its side, the menu ends within the page.
  await page.viewport(844, 390);
  await expect
    .poll(() => screen.getByRole('menu').element().getBoundingClientRect().bottom)
    .toBeLessThan(390);
  history.back();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  expect(location.pathname).toBe(address);
  await expect.element(more).toHaveFocus();
  for (const item of ['Change name', 'Download conversation', 'Devices', 'Delete conversation']) {
    await open(item);
    history.back();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(location.pathname).toBe(address);
  }
  await screen.getByRole('button', { name: 'Notifications' }).click();
  await expect.element(dialog).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(location.pathname).toBe(address);

  // After closing in another way, one Back leaves the chat.
  await open('Devices');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  history.back();
  await expect.poll(() => location.pathname).toBe('/before');
});

const brand = { ...defaultBrand, displayName: 'Mara Lindqvist', usualReplyMinutes: 10 };

test('an empty chat shows the host and the reply time; a greeting is bubbles without number or time', async () => {
  const screen = await render(
    <>
      <EmptyChat brand={brand}>
        <p>{texts.privateNote}</p>
      </EmptyChat>
      <Greeting brand={brand} greeting={'Hello, and welcome.\n\nAsk me anything.'} />
    </>,
  );
  await expect.element(screen.getByText(texts.visitorEmpty)).toBeVisible();
  await expect.element(screen.getByText('Usually replies within 10 minutes')).toBeVisible();
  await expect.element(screen.getByText(texts.privateNote)).toBeVisible();
  expect(document.querySelector('[data-size="72"]')?.getBoundingClientRect().width).toBe(72);
  const bubbles = screen.getByRole('article').elements();
  expect(bubbles.map(({ textContent }) => textContent)).toEqual(['Hello, and welcome.', 'Ask me anything.']);
  for (const bubble of bubbles) {
    expect(bubble.getAttribute('aria-label')).toBe('Mara Lindqvist');
    expect(bubble.querySelector('time, button')).toBeNull();
    expect(bubble.hasAttribute('data-seq')).toBe(false);
  }
});

test('a greeting may repeat a paragraph, and change', async () => {
  const screen = await render(<Greeting brand={brand} greeting={'Hi.\n\nHi.\n\nWelcome.'} />);
  await expect.poll(() => screen.container.textContent).toBe('Hi.Hi.Welcome.');
  await screen.rerender(<Greeting brand={brand} greeting="Bye." />);
  await expect.poll(() => screen.container.textContent).toBe('Bye.');
});

test('the away message shows when the host returns, and disappears at that time', async () => {
  const message = 'Gone fishing.';
  const screen = await render(<AwayNote away={{ message, until: Date.now() + 60_000 }} />);
  await expect.element(screen.getByText(/^Back (tomorrow )?at \d\d:\d\d$/)).toBeVisible();
  await expect.element(screen.getByText(/^Gone fishing\./)).toBeVisible();
  await screen.rerender(<AwayNote away={{ message, until: null }} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(message);
  await screen.rerender(<AwayNote away={{ message, until: 1 }} />);
  await expect.element(screen.getByRole('status')).not.toBeInTheDocument();
});
