import { type Browser, expect, type Page } from '@playwright/test';
import { createHandler, createInvites, type Handler } from '../product/accounts.ts';
import { type Written, writeHistory } from '../product/database.ts';
import { outlastsTest } from '../product/lastingContexts.ts';
import { newPerson, signIn, startChat } from '../product/people.ts';

const INVITES_AT_ONCE = 20;

/** A desk with invites. Its handler stays signed in, so that the profile is online. */
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
  await takePlace(page, invite, 'Jonas Weber');
  await writeHistory(invite, messages, unseenBy);
  await page.goto(invite);
  return invite;
}

/** Claims the invite as the first visit does, with calls only. A page that opens later has access. */
async function takePlace({ request }: Page, invite: string, visitorName: string): Promise<void> {
  const signIn = async () => {
    // The server gives its cookie only to requests with this origin.
    const answer = await request.post('/auth/anonymous', {
      headers: { origin: process.env.PUBLIC_URL ?? '' },
    });
    const { idToken } = (await answer.json()) as { idToken: string };
    return { authorization: `Bearer ${idToken}` };
  };
  const claimed = await request.post('/claimInvite', {
    data: { token: invite.slice('/i/'.length), csrf: String(Date.now()) },
    headers: await signIn(),
  });
  const { conversationId } = (await claimed.json()) as { conversationId: string };
  // The claim changes the credential.
  const headers = await signIn();
  const named = await request.put(`/conversations/${conversationId}/visitorName`, {
    data: { visitorName },
    headers,
  });
  expect(named.ok()).toBe(true);
  await request.put('/visitorProfile', { data: { displayName: visitorName }, headers });
}

/** An invite that another visitor has already claimed. */
export async function takenInvite({ browser, desk }: Stage): Promise<{ invite: string; other: Page }> {
  const invite = desk.invite();
  const { page: other } = await newPerson(browser);
  await startChat(other, invite, 'Jonas Weber');
  return { invite, other };
}

export async function shows(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
}
