import { type Browser, expect, type Page } from '@playwright/test';
import { createHandler, createInvites, type Handler } from '../product/accounts.ts';
import { type Written, writeHistory } from '../product/database.ts';
import { newPerson, signIn, startChat } from '../product/people.ts';
import { outlastsTest } from '../product/watched.ts';

const INVITES_AT_ONCE = 20;

/** A desk whose handler stays signed in, so that the profile is online, and invites of it. */
export type Desk = { handler: Handler; invite(): string };

export async function openDesk(browser: Browser, baseURL: string): Promise<Desk> {
  const handler = createHandler();
  const context = await browser.newContext({ baseURL });
  outlastsTest(context);
  const page = await context.newPage();
  await signIn(page, handler);
  const ready: string[] = [];
  return {
    handler,
    invite() {
      if (ready.length === 0) ready.push(...createInvites(handler.alias, INVITES_AT_ONCE));
      return ready.pop() ?? '';
    },
  };
}

/** What a state has to be reached with. */
export type Stage = { page: Page; browser: Browser; desk: Desk };

export type State = {
  /** Also the beginning of its pictures' names. */
  name: string;
  /** Brings the page there, and returns once it is. */
  reach: (stage: Stage) => Promise<unknown>;
  /** It goes by in seconds: every picture needs it anew. */
  fleeting?: true;
};

/** A chat in the middle, with these words in it; the page is open and shows them. */
export async function openChat(
  { page, desk }: Stage,
  messages: Written[],
  unseenBy: { visitor?: number; owner?: number } = {},
): Promise<string> {
  const invite = desk.invite();
  await startChat(page, invite, 'Jonas Weber');
  // An open page would find the words by itself, and have seen them.
  await page.goto('about:blank');
  await writeHistory(invite, messages, unseenBy);
  await page.goto(invite);
  return invite;
}

/** An invite that somebody else has taken already. */
export async function takenInvite({ browser, desk }: Stage): Promise<{ invite: string; other: Page }> {
  const invite = desk.invite();
  const { page: other } = await newPerson(browser);
  await startChat(other, invite, 'Jonas Weber');
  return { invite, other };
}

export async function shows(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
}
