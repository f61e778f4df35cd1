import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { HandlerApp } from '../src/handler/HandlerApp.tsx';
import { forgetField } from '../src/handler/keys/removedField.ts';
import { sessionStore } from '../src/staff/session.ts';
import { aChat, aDesk, type DeskChat, type DeskParts } from './aDesk.ts';
import { appRoot, goTo } from './browser.ts';
import { idOf } from './chats.ts';
import { type Answers, fakeGateway } from './fakeGateway.ts';

type ConsoleOptions = DeskParts & {
  path?: string;
  /** Answers besides or instead of those of `aDesk`. */
  answers?: Answers;
  /** Returns at once, without waiting for the queue. */
  atOnce?: boolean;
};

/** The console at an address, on a fake gateway. For a reload, unmount it and render it again. */
export async function renderConsole({ path = '/handler', answers, atOnce, ...parts }: ConsoleOptions = {}) {
  goTo(path);
  // A new page has no focused field.
  forgetField();
  const desk = aDesk(parts);
  const gateway = fakeGateway('staff', { ...desk.answers, ...answers }, desk.frames);
  const session = sessionStore();
  const screen = await render(<HandlerApp session={session} />, { container: appRoot() });
  if (!atOnce) await expect.poll(() => gateway.received('watchQueue').length).toBeGreaterThan(0);
  return { screen, gateway, session, staff: desk.staff, chats: desk.chats };
}

const MINUTE = 60_000;

/** A chat with one message of the visitor. `seen`: the desk has read it, and nobody waits. */
export function agedChat(name: string, text: string, minutesAgo: number, { seen = false } = {}): DeskChat {
  const lastMessageAt = Date.now() - minutesAgo * MINUTE;
  return aChat(name, [{ sender: 'visitor', text, createdAt: lastMessageAt }], {
    conversation: { lastMessageAt, ...(seen && { ownerSeen: 1, unread: 0 }) },
    ...(seen && { row: { waitingSince: null } }),
  });
}

/** Newest first. Jonas and Léa are unread. */
export function threeChats(): DeskChat[] {
  return [
    agedChat('Jonas Weber', 'May I read it to them tomorrow?', 1),
    agedChat('Adaeze Obi', 'Is the Berlin date still on?', 6, { seen: true }),
    agedChat('Léa Moreau', 'Page 212, second paragraph', 60),
  ];
}

export const addressOf = (name: string): string => `/handler/conversation/${idOf(name)}`;

/** Waits until the page is at this path, with this query. */
export const expectAddress = (address: string): Promise<void> =>
  expect.poll(() => location.pathname + location.search).toBe(address);

/** Like a link inside the page. */
export function follow(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The row of this visitor in the queue. */
export const queueRow = (name: string): Locator =>
  page.getByRole('region', { name: consoleTexts.queueTitle }).getByRole('link', { name: new RegExp(name) });

export const composer = page.getByPlaceholder('Type your message...');
export const palette = page.getByRole('combobox', { name: consoleTexts.palettePlaceholder });

/** Focuses an element without a click. */
export async function focus(wanted: Locator): Promise<void> {
  await expect.element(wanted).toBeVisible();
  (wanted.element() as HTMLElement).focus();
}

/** Presses the key of each character. */
export const typeText = (text: string): Promise<void> =>
  userEvent.keyboard(text.replaceAll(/[{[]/g, (bracket) => bracket.repeat(2)));

/** Presses a key such as `Escape`, with modifiers such as `Alt+ArrowDown`. */
export async function press(keys: string): Promise<void> {
  const [key = '', ...modifiers] = keys.split('+').toReversed();
  const down = modifiers.map((modifier) => `{${modifier}>}`).join('');
  const up = modifiers.map((modifier) => `{/${modifier}}`).join('');
  await userEvent.keyboard(`${down}${key.length === 1 ? key : `{${key}}`}${up}`);
}

/** Opens the palette, types, and presses Enter on this row. */
export async function fromPalette(typed: string, row: string | RegExp): Promise<void> {
  await press('Control+k');
  await expect.element(palette).toHaveFocus();
  await typeText(typed);
  const option = page.getByRole('option', { name: row }).first();
  await expect.element(option).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    if (option.element().getAttribute('aria-selected') === 'true') return press('Enter');
    await press('ArrowDown');
  }
  throw new Error(`the arrows do not reach ${String(row)}`);
}
