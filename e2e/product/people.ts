import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { createHandler, createInvite, type Handler } from './accounts.ts';

/** Opens a browser context with its own cookies and storage. */
export async function newPerson(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext(options);
  return { context, page: await context.newPage() };
}

/** Opens an empty chat. The invite is claimed with calls, because other tests cover the forms. */
export async function startChat(page: Page, invite: string, name: string): Promise<void> {
  await claimInvite(page, invite, name);
  await page.goto(invite);
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
}

type Claimed = { conversationId: string; continueCode: string };

/**
 * Opens the invite and leaves after the sign-in. The sign-in of an open page could replace the cookie of a claim that is
 * made with calls.
 */
export async function visitAndLeave(page: Page, visit: () => Promise<void>): Promise<void> {
  const signedIn = page.waitForResponse('**/auth/anonymous');
  await visit();
  await signedIn;
  await page.goto('about:blank');
}

/** Claims the invite like a first visit, with calls only. A page that opens later has access and shows no code. */
export async function claimInvite({ request }: Page, invite: string, visitorName: string): Promise<Claimed> {
  // The server gives its cookie only to requests with its own origin.
  const { origin } = new URL((await request.get(invite)).url());
  const token = new URL(invite, origin).pathname.slice('/i/'.length);
  const signIn = async () => {
    const answer = await request.post('/auth/anonymous', { headers: { origin } });
    const { idToken } = (await answer.json()) as { idToken: string };
    return { authorization: `Bearer ${idToken}` };
  };
  const claimed = await request.post('/claimInvite', {
    data: { token, csrf: String(Date.now()) },
    headers: await signIn(),
  });
  const { conversationId, continueCode } = (await claimed.json()) as Claimed;
  // The claim changes the credential.
  const headers = await signIn();
  const named = await request.put(`/conversations/${conversationId}/visitorName`, {
    data: { visitorName },
    headers,
  });
  expect(named.ok()).toBe(true);
  await request.put('/visitorProfile', { data: { displayName: visitorName }, headers });
  return { conversationId, continueCode };
}

/** From the link to an empty chat, as a visitor does. */
export async function startChatWithForms(page: Page, invite: string, name: string): Promise<void> {
  await giveName(page, invite, name);
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
}

/** The same, without waiting for the result: a bound invite asks for its code. */
export async function giveName(page: Page, invite: string, name: string): Promise<void> {
  await page.goto(invite);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill(name);
  await page.getByRole('button', { name: 'Start Chatting' }).click();
}

/** Opens the queue without the sign-in form, which other tests cover. */
export async function signIn(page: Page, handler: Handler): Promise<void> {
  await enterConsole(page, handler, '/handler');
  await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
}

/** Opens this console page without the sign-in form. */
export async function enterConsole(page: Page, { email, password }: Handler, path: string): Promise<void> {
  const signedIn = await page.request.post('/auth/staff/sign-in', { data: { email, password } });
  expect(signedIn.ok()).toBe(true);
  await page.goto(path);
}

/**
 * The form can show before the server has confirmed the sign-out, because the socket closes first. A page that opens
 * meanwhile signs out again.
 */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByLabel('Email address')).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('leaving'))).toBeNull();
}

export async function openConversation(page: Page, handler: Handler, conversationId: string): Promise<void> {
  await enterConsole(page, handler, `/handler/conversation/${conversationId}`);
  await expect(page.getByPlaceholder('Type your message...')).toBeVisible();
}

export type Account = Pick<Handler, 'email' | 'password'>;

/** Sends the sign-in form, and does not wait for the answer. */
export async function fillSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
}

export async function signInWithForm(page: Page, handler: Handler): Promise<void> {
  await page.goto('/handler');
  await fillSignIn(page, handler);
  await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
}

/** Chooses from the menu of a chat. */
export async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export async function send(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /message/i });
  await composer.fill(text);
  // While the previous message is being stored, Enter does nothing.
  await expect(async () => {
    await composer.press('Enter');
    await expect(composer).toHaveValue('', { timeout: 500 });
  }).toPass();
}

export function bubbles(page: Page, side?: 'in' | 'out'): Locator {
  return page.getByRole('log').locator(side === undefined ? '[data-side]' : `[data-side=${side}]`);
}

/** The texts of all bubbles from top to bottom, without the colleague's name, which may appear a moment later. */
function bubbleTexts(page: Page): Locator {
  return bubbles(page).locator('div > p:first-child');
}

export async function expectTexts(page: Page, expected: string[], timeout?: number): Promise<void> {
  await expect(bubbleTexts(page)).toHaveText(expected, timeout === undefined ? {} : { timeout });
}

/** Opens the invite on a second device, up to the code view. */
export async function openCodeView(page: Page, invite: string, name: string): Promise<void> {
  await giveName(page, invite, name);
  await expect(page.getByRole('heading', { name: 'Continue this chat' })).toBeVisible();
}

/** The same, and enters the code that the first device shows. */
export async function openWithCode(page: Page, invite: string, name: string, code: string): Promise<void> {
  await openCodeView(page, invite, name);
  // The fourth digit submits the form.
  await page.getByRole('textbox').fill(code);
}

/** The continue code in the banner. */
export async function bannerCode(page: Page): Promise<string> {
  const banner = page.getByText('Continue on another device:');
  await expect(banner).toBeVisible();
  const code = /\d{4}/.exec(await banner.innerText())?.[0];
  if (code === undefined) throw new Error('the banner shows no code');
  return code;
}

/** A visitor in a chat, and its handler in the console with that chat open, in separate browsers. */
export async function chatOfTwo(
  browser: Browser,
  name: string,
): Promise<{ visitor: Page; desk: Page; invite: string; continueCode: string; handler: Handler }> {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  const { page: desk } = await newPerson(browser);
  const { conversationId, continueCode } = await claimInvite(visitor, invite, name);
  await visitor.goto(invite);
  await openConversation(desk, handler, conversationId);
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
  return { visitor, desk, invite, continueCode, handler };
}

// The steps of an administrator from an empty installation to the first invite.

const EMAIL = 'ada@settee.example';
export const HANDLER = {
  name: 'Noor Haddad',
  email: 'noor@settee.example',
  alias: 'mara-east',
  password: 'four words nobody guesses',
};

/** From the setup page to the gate, with a wrong code first. */
export async function becomeAdministrator(page: Page, code: string): Promise<void> {
  await page.getByLabel('Public name').fill('Mara Lindqvist');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password').fill('a password for the first run');
  const field = page.getByLabel('Setup code');
  const submit = page.getByRole('button', { name: 'Create administrator' });
  await field.fill('0000-0000-0000-0000');
  await submit.click();
  await expect(page.getByText('Invalid code. Please try again.')).toBeVisible();
  // The printed address contains the code and leaves it nowhere in the browser.
  await page.goto(`/admin/setup#${code}`);
  await expect(field).toHaveValue(code);
  await expect(page).toHaveURL(/\/admin\/setup$/);
  await submit.click();
}

export async function followStep(page: Page, step: string, place: string): Promise<void> {
  await page.goto('/admin/dashboard');
  const item = page.getByRole('listitem').filter({ hasText: step });
  await expect(item).toHaveAttribute('aria-current', 'step');
  await item.getByRole('link', { name: step }).click();
  await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
}

/** Returns the link with which the handler chooses a password. */
export async function addHandler(page: Page): Promise<string> {
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByLabel('Name').fill(HANDLER.name);
  await form.getByLabel('E-mail address').fill(HANDLER.email);
  await form.getByLabel('Desk').fill(HANDLER.alias);
  await form.getByRole('button', { name: 'Add and create link' }).click();
  return page.getByLabel('Password link', { exact: true }).inputValue();
}

/** Returns the password. */
export async function choosePassword(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.getByLabel('New password').fill(HANDLER.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is saved' })).toBeVisible();
  return HANDLER.password;
}

/** Returns the invite link that the page shows. */
export async function makeInvite(page: Page): Promise<string> {
  await page.getByLabel('Label').fill('The first one');
  await page.getByLabel('Desk').selectOption(HANDLER.alias);
  await page.getByRole('button', { name: 'Create invite' }).click();
  return page.getByLabel('Invite link', { exact: true }).inputValue();
}
