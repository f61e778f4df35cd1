import { expect, type Page } from '@playwright/test';
import type { ReplyMail } from '@settee/protocol/model/mail';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { endConversation, expireInvite, revokeDevices, writeHistory } from '../product/database.ts';
import { hold, holdLine, type Line } from '../product/network.ts';
import { holdTimers, typeUntilSeen } from '../product/pages.ts';
import {
  bannerCode,
  bubbles,
  chooseInMenu,
  claimInvite,
  giveName,
  newPerson,
  openWithCode,
  send,
  signIn,
  startChat,
  startChatWithForms,
} from '../product/people.ts';
import {
  conversation,
  conversationToAnswer,
  openChat,
  type Stage,
  shows,
  states,
  takenInvite,
} from './stage.ts';

const NOWHERE = '/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
/** The server's limit per visitor. */
const SOCKETS = 5;

/** Before the chat. */
export const arriving = states({
  landing: async ({ page }) => {
    await page.goto('/');
    await shows(page, landingTexts.landingOpen);
  },
  loading: async ({ page, desk }) => {
    await hold(page, 'checkInvite/*');
    await page.goto(desk.invite());
    await expect(page.getByText(texts.loading)).toBeAttached();
  },
  'error-expired': async ({ page, desk }) => {
    await page.goto(await expireInvite(desk.invite()));
    await shows(page, texts.inviteExpired);
  },
  'error-not-found': async ({ page }) => {
    await page.goto(NOWHERE);
    await shows(page, texts.inviteNotFound);
  },
  unclaimed: async ({ page, desk }) => {
    await page.goto(desk.invite());
    await shows(page, texts.startChat);
  },
  'unclaimed-busy': async ({ page, desk }) => {
    await hold(page, 'assets/room*.js');
    await page.goto(desk.invite());
    await page.getByRole('button', { name: texts.startChat }).click();
    await shows(page, texts.startChatBusy);
  },
  name: async ({ page, desk }) => {
    await page.goto(desk.invite());
    await page.getByRole('button', { name: texts.startChat }).click();
    await shows(page, texts.nameTitle);
  },
  'name-error': async ({ page, desk }) => {
    await giveName(page, desk.invite(), 'jonas@example.org');
    await shows(page, texts.nameHasContact);
  },
  'name-busy': async ({ page, desk }) => {
    await hold(page, 'claimInvite');
    await giveName(page, desk.invite(), 'Jonas Weber');
    await shows(page, texts.nameBusy);
  },
  'unclaimed-bound': async (stage) => {
    await stage.page.goto((await takenInvite(stage)).invite);
    await shows(stage.page, texts.enterCode);
  },
  code: async (stage) => {
    await giveName(stage.page, (await takenInvite(stage)).invite, 'Jonas Weber');
    await shows(stage.page, texts.codeTitle);
  },
  'code-error': (stage) => enterCode(stage, texts.codeWrong),
  'code-busy': (stage) => enterCode(stage, texts.codeBusy, () => hold(stage.page, 'attachInvite')),
  '404': async ({ page }) => {
    await page.goto('/nowhere');
    await shows(page, texts.notFoundTitle);
  },
});

/** In the chat. */
export const chatting = states({
  'chat-empty': async ({ page, desk }) => {
    await startChatWithForms(page, desk.invite(), 'Jonas Weber');
    await bannerCode(page);
  },
  'chat-loading': async ({ page, desk }) => {
    await startChat(page, desk.invite(), 'Jonas Weber');
    const line = await holdLine(page);
    line.onDown = (frame) => (frame.includes('"watched"') ? undefined : frame);
    await page.reload();
    await expect(page.getByText(texts.messagesLoading)).toBeAttached();
  },
  chat: async (stage) => {
    await openChat(stage, conversation(), { owner: 1 });
    await shows(stage.page, texts.sent);
  },
  'chat-top': async (stage) => {
    await openChat(stage, conversation());
    await bubbles(stage.page).first().scrollIntoViewIfNeeded();
    await stage.page.getByRole('log').evaluate((list) => list.scrollTo(0, 0));
  },
  'chat-seen': async (stage) => {
    await openChat(stage, conversation());
    await shows(stage.page, texts.seen);
  },
  'chat-typing': async ({ page, browser }) => {
    await holdTimers(page, 5_000);
    const handler = createHandler();
    await startChat(page, createInvite(handler.alias), 'Jonas Weber');
    await send(page, 'Are you there?');
    const { page: console } = await newPerson(browser);
    await signIn(console, handler);
    await console.getByRole('link', { name: /Jonas Weber/ }).click();
    const reply = console.getByRole('textbox', { name: /message/i });
    await typeUntilSeen(reply, 'a', page.getByText('is typing'));
  },
  'chat-failed': async (stage) => {
    const line = await holdLine(stage.page);
    line.onUp = refuseSends;
    await openChat(stage, conversationToAnswer());
    await send(stage.page, 'This one does not get through.');
    await shows(stage.page, texts.notSent);
  },
  'chat-sending': async (stage) => {
    const line = await holdLine(stage.page);
    line.onUp = (frame) => (frame.includes('"type":"send"') ? undefined : frame);
    await openChat(stage, conversationToAnswer());
    await send(stage.page, 'This one is on its way.');
    await shows(stage.page, texts.sending);
  },
  offline: goOffline,
  'back-online': async (stage) => {
    await holdTimers(stage.page, 2_000);
    const line = await goOffline(stage);
    await line.mend();
    await shows(stage.page, texts.backOnline);
  },
});

/** Menus, tooltips and absence. */
export const more = states({
  'new-divider': async (stage) => {
    await openChat(stage, conversationToAnswer(), { visitor: 3 });
    await shows(stage.page, texts.newDivider);
  },
  'new-pill': async (stage) => {
    const invite = await openChat(stage, [...conversation(), ...conversation()]);
    await shows(stage.page, texts.seen);
    await stage.page.getByRole('log').evaluate((list) => list.scrollTo(0, 0));
    const at = new Date();
    await writeHistory(
      invite,
      ['Are you still there?', 'I found the letter.'].map((text) => ({ from: 'owner', text, at })),
      { visitor: 2 },
    );
    await expect(stage.page.getByRole('button', { name: /new messages$/ })).toBeVisible();
  },
  'chat-tools': async (stage) => {
    await openChat(stage, conversation());
    await bubbles(stage.page).nth(-2).locator('p').first().click();
  },
  'more-menu': openMenu,
  'change-name': async (stage) => {
    await openMenu(stage);
    await stage.page.getByRole('menuitem', { name: texts.changeName }).click();
    await shows(stage.page, texts.save);
  },
  'mail-address': async (stage) => {
    await openMailForm(stage, { address: null, pending: null, refused: false });
    await shows(stage.page, visitorMailTexts.send);
  },
  'mail-code': async (stage) => {
    await openMailForm(stage, { address: null, pending: 'j…@example.org', refused: true });
    await shows(stage.page, visitorMailTexts.refused);
  },
  'mail-change': async (stage) => {
    await openMailForm(stage, { address: 'j…@example.org', pending: 'w…@example.com', refused: false });
    await shows(stage.page, visitorMailTexts.sendAgain);
  },
  'mail-on': async (stage) => {
    await openMailForm(stage, { address: 'j…@example.org', pending: null, refused: false });
    await shows(stage.page, visitorMailTexts.remove);
  },
  'mail-elsewhere': async ({ page }) => {
    await page.goto('/chat#00000000-0000-4000-8000-000000000000');
    await shows(page, visitorMailTexts.elsewhereTitle);
  },
  'device-joined': async (stage) => {
    await joinedChat(stage);
    await shows(stage.page, deviceTexts.joined);
  },
  devices: async (stage) => {
    await joinedChat(stage);
    await stage.page.getByRole('button', { name: deviceTexts.showDevices }).click();
    await shows(stage.page, deviceTexts.thisDevice);
  },
  'device-removed': async (stage) => {
    const { page } = stage;
    const { invite, other, continueCode } = await takenInvite(stage);
    await openWithCode(page, invite, 'Jonas Weber', continueCode);
    await expect(page.getByPlaceholder('Message...')).toBeVisible();
    await other.goto(invite);
    await other.getByRole('button', { name: deviceTexts.showDevices }).click();
    await other.getByRole('button', { name: /^Remove / }).click();
    await other.getByRole('button', { name: deviceTexts.remove, exact: true }).click();
    await shows(page, texts.signedOutHere);
  },
  'fresh-code': async (stage) => {
    await openMenu(stage);
    await stage.page.getByRole('menuitem', { name: texts.anotherDevice }).click();
    await bannerCode(stage.page);
  },
  'seal-tooltip': async (stage) => {
    await openChat(stage, conversation());
    // By keyboard, because the pointer would be elsewhere after a change of size.
    await shows(stage.page, texts.seen);
    await stage.page.getByRole('img', { name: texts.verifiedTooltip }).first().focus();
    await shows(stage.page, texts.verifiedTooltip);
  },
  brand: async ({ page }) => {
    await page.goto('/chat');
    await shows(page, texts.online);
  },
  'brand-auth-error': async ({ page }) => {
    await page.route('**/auth/anonymous', (route) => route.abort());
    await page.goto('/chat');
    await shows(page, texts.authErrorShort);
  },
});

/** After the end. */
export const ended = states({
  'closed-reopens': (stage) => endChat(stage, 'closed', 1, texts.reopenNote),
  closed: (stage) => endChat(stage, 'closed', 8, texts.closedTitle),
  blocked: (stage) => endChat(stage, 'blocked', 0, texts.closedTitle),
  'signed-out': async (stage) => {
    const line = await holdLine(stage.page);
    const invite = await openChat(stage, conversation());
    await shows(stage.page, texts.seen);
    await revokeDevices(invite);
    // The page learns about it with its next request.
    await line.cut();
    await line.mend();
    await shows(stage.page, texts.signedOutHere);
  },
  'too-many-tabs': async (stage) => {
    const { page } = stage;
    const invite = await openChat(stage, conversation());
    await page.goto('about:blank');
    for (let tabs = 0; tabs < SOCKETS; tabs++) {
      const tab = await page.context().newPage();
      await tab.goto(invite);
      await shows(tab, texts.seen);
    }
    await page.goto(invite);
    await shows(page, texts.tooManyTabs);
  },
});

async function goOffline(stage: Stage): Promise<Line> {
  const line = await holdLine(stage.page);
  await openChat(stage, conversation());
  await shows(stage.page, texts.seen);
  await line.cut();
  await shows(stage.page, texts.offlineBanner);
  return line;
}

async function openMenu(stage: Stage): Promise<void> {
  await openChat(stage, conversation());
  await stage.page.getByRole('button', { name: texts.more }).click();
  await expect(stage.page.getByRole('menu')).toBeVisible();
}

/** As on an installation that sends mail. */
async function openMailForm(stage: Stage, mail: ReplyMail): Promise<void> {
  const { page } = stage;
  await page.routeWebSocket('**/live', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => socket.send(String(frame).replace('"canMail":false', '"canMail":true')));
  });
  await page.route('**/conversations/*/mail', (route) => route.fulfill({ json: { success: true, mail } }));
  await openMenu(stage);
  await page.getByRole('menuitem', { name: visitorMailTexts.title }).click();
}

/** A chat that a second device has just joined. */
async function joinedChat(stage: Stage): Promise<void> {
  const { page, desk } = stage;
  const invite = desk.invite();
  const { continueCode } = await claimInvite(page, invite, 'Jonas Weber');
  await page.goto(invite);
  const { page: other } = await newPerson(stage.browser);
  await openWithCode(other, invite, 'Jonas Weber', continueCode);
}

async function enterCode(stage: Stage, until: string, before?: () => Promise<unknown>): Promise<void> {
  const { page } = stage;
  const { invite, continueCode } = await takenInvite(stage);
  const wrong = continueCode === '2640' ? '2641' : '2640';
  await giveName(page, invite, 'Jonas Weber');
  await shows(page, texts.codeTitle);
  await before?.();
  await page.getByRole('textbox').fill(wrong);
  await shows(page, until);
}

function refuseSends(frame: string, answer: (frame: string) => void): string | undefined {
  const { type, conversationId, id } = JSON.parse(frame) as Record<string, string>;
  if (type !== 'send') return frame;
  answer(JSON.stringify({ type: 'refused', code: 'bad_request', conversationId, id }));
  return undefined;
}

async function endChat(
  stage: Stage,
  status: 'closed' | 'blocked',
  daysAgo: number,
  until: string,
): Promise<void> {
  const invite = await openChat(stage, conversation());
  await endConversation(invite, status, daysAgo);
  await stage.page.reload();
  await shows(stage.page, until);
}

const GREETING = 'Hello, and welcome.\n\nAsk me anything about the tour.';
const FAREWELL = 'Thank you for writing. The door is open whenever you are in town.';
const DAY_MS = 86_400_000;

type Frame = Record<string, unknown>;

/** The profile's texts, presence, and errors on arrival. */
export const hostStates = states({
  'chat-greeting': async ({ page, desk }) => {
    await changeFrames(page, withBrand({ greeting: GREETING, usualReplyMinutes: 10 }));
    await startChatWithForms(page, desk.invite(), 'Jonas Weber');
    await bannerCode(page);
    await shows(page, 'Ask me anything about the tour.');
  },
  'closed-farewell': async (stage) => {
    const invite = await openChat(stage, conversation());
    await endConversation(invite, 'closed', 8);
    await changeFrames(stage.page, withBrand({ farewell: FAREWELL }));
    await stage.page.reload();
    await shows(stage.page, FAREWELL);
  },
  'chat-lamp-dimmed': async (stage) => {
    await changeFrames(stage.page, (frame) => ('online' in frame ? { ...frame, online: false } : frame));
    await openChat(stage, conversationToAnswer());
    await shows(stage.page, texts.nobodyHere);
  },
  'chat-away': async (stage) => {
    const away = { message: 'I’m on the road right now.', until: Date.now() + DAY_MS };
    await changeFrames(stage.page, (frame) =>
      deeply(frame, (part) => ('canSend' in part ? { ...part, away } : part)),
    );
    await openChat(stage, conversationToAnswer());
    await shows(stage.page, away.message);
  },
  'chat-text-too-long': async (stage) => {
    await openChat(stage, conversationToAnswer());
    const sentence = 'He never wrote back, and still every evening the lamp was lit. ';
    await stage.page.getByRole('textbox').fill(sentence.repeat(MESSAGE_TEXT_MAX / sentence.length + 1));
    await shows(stage.page, texts.messageTooLong);
  },
  'error-try-again': async ({ page, desk }) => {
    await page.route('**/checkInvite/*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(desk.invite());
    await shows(page, texts.tryAgain);
  },
  'error-cookies-blocked': ({ page, desk }) => withoutCookies(page, desk.invite(), true),
  'error-needs-https': ({ page, desk }) => withoutCookies(page, desk.invite(), false),
});

async function withoutCookies(page: Page, invite: string, secure: boolean): Promise<void> {
  await page.addInitScript((isSecure) => {
    Object.defineProperty(navigator, 'cookieEnabled', { get: () => false });
    Object.defineProperty(globalThis, 'isSecureContext', { get: () => isSecure });
  }, secure);
  await page.goto(invite);
  await shows(page, secure ? texts.cookiesBlocked : texts.needsHttps);
}

/** The tests share one profile, so this changes the frames of a single page. */
async function changeFrames(page: Page, change: (frame: Frame) => Frame): Promise<Line> {
  const line = await holdLine(page);
  line.onDown = (frame) => JSON.stringify(change(JSON.parse(frame) as Frame));
  return line;
}

function withBrand(more: Frame): (frame: Frame) => Frame {
  return (frame) =>
    'brand' in frame
      ? { ...frame, brand: { ...(frame.brand as Frame), ...more, updatedAt: Date.now() + DAY_MS } }
      : frame;
}

function deeply(part: Frame, change: (part: Frame) => Frame): Frame {
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? deeply(value as Frame, change)
      : value,
  ]);
  return change(Object.fromEntries(entries) as Frame);
}

/** Downloading and deleting a conversation, for visitors. */
export const rightsStates = states({
  'visitor-download': async ({ page }) => {
    await choose(page, rightsTexts.download);
    await shows(page, rightsTexts.downloadNote);
  },
  'visitor-delete': async ({ page }) => {
    await choose(page, rightsTexts.erase);
    await shows(page, rightsTexts.eraseFinal);
  },
  'visitor-deleted': async ({ page }) => {
    await choose(page, rightsTexts.erase);
    await page.getByRole('dialog').getByRole('button', { name: rightsTexts.erase }).click();
    await shows(page, rightsTexts.erasedTitle);
  },
});

async function choose(page: Page, item: string): Promise<void> {
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'Hello, are you there?');
  await expect(page.getByRole('log')).toContainText('are you there?');
  await chooseInMenu(page, item);
}
