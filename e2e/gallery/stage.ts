import { type Browser, expect, type Page } from '@playwright/test';
import { createHandler, createInvites, type Handler } from '../product/accounts.ts';
import { outlastsTest } from '../product/contexts.ts';
import { inDatabase, type Written, writeHistory } from '../product/database.ts';
import { claimInvite, newPerson, signIn } from '../product/people.ts';

const INVITES_AT_ONCE = 20;

/** A desk with invites. Its handler stays signed in, so that the profile is online. */
export type Desk = { handler: Handler; invite(): string };

export async function openDesk(browser: Browser, baseURL: string): Promise<Desk> {
  const handler = createHandler();
  const context = await browser.newContext({ baseURL });
  outlastsTest(context);
  const page = await context.newPage();
  await signIn(page, handler);
  // The landing page reads only once whether anyone is online.
  await expect.poll(() => isOnline(handler)).toBe(true);
  const ready: string[] = [];
  return {
    handler,
    invite() {
      if (ready.length === 0) ready.push(...createInvites(handler.alias, INVITES_AT_ONCE));
      return ready.pop() ?? '';
    },
  };
}

async function isOnline({ alias }: Handler): Promise<boolean> {
  const { rowCount } = await inDatabase('select from presence where alias = $1 and expires_at > now()', [
    alias,
  ]);
  return rowCount !== 0;
}

export type Stage = { page: Page; browser: Browser; desk: Desk };

export type State = {
  /** Also the start of the file names of its screenshots. */
  name: string;
  /** Brings the page into the state. */
  reach: (stage: Stage) => Promise<unknown>;
  /** For a state that depends on the width: restores it after a change of width. */
  again?: (page: Page) => Promise<unknown>;
};

/** Opens a chat that already contains these messages. */
export async function openChat(
  { page, desk }: Stage,
  messages: Written[],
  unseenBy: { visitor?: number; owner?: number } = {},
): Promise<string> {
  const invite = desk.invite();
  await claimInvite(page, invite, 'Jonas Weber');
  await writeHistory(invite, messages, unseenBy);
  await page.goto(invite);
  return invite;
}

/** An invite that another visitor has already claimed. */
export async function takenInvite({ browser, desk }: Stage) {
  const invite = desk.invite();
  const { page: other } = await newPerson(browser);
  const { continueCode } = await claimInvite(other, invite, 'Jonas Weber');
  return { invite, other, continueCode };
}

export async function shows(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
}
