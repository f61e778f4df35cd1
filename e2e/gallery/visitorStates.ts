import { expect } from '@playwright/test';
import type { ReplyMail } from '@settee/protocol/model/mail';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { endConversation, expireInvite, revokeDevices, writeHistory } from '../product/database.ts';
import { hold, holdLine, type Line } from '../product/network.ts';
import { holdTimers } from '../product/pages.ts';
import {
  bannerCode,
  bubbles,
  claimInvite,
  giveName,
  newPerson,
  openWithCode,
  send,
  signIn,
  startChat,
  startChatWithForms,
} from '../product/people.ts';
import { conversation, conversationToAnswer } from './sampleMessages.ts';
import { openChat, type Stage, type State, shows, takenInvite } from './stage.ts';

const NOWHERE = '/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
/** The server's limit per visitor. */
const SOCKETS = 5;

/** Before the chat. */
export const arriving: State[] = [
  {
    name: 'landing',
    async reach({ page }) {
      await page.goto('/');
      await shows(page, landingTexts.landingOpen);
    },
  },
  {
    name: 'loading',
    async reach({ page, desk }) {
      await hold(page, 'checkInvite/*');
      await page.goto(desk.invite());
      await expect(page.getByText(texts.loading)).toBeAttached();
    },
  },
  {
    name: 'error-expired',
    async reach({ page, desk }) {
      await page.goto(await expireInvite(desk.invite()));
      await shows(page, texts.inviteExpired);
    },
  },
  {
    name: 'error-not-found',
    async reach({ page }) {
      await page.goto(NOWHERE);
      await shows(page, texts.inviteNotFound);
    },
  },
  {
    name: 'unclaimed',
    async reach({ page, desk }) {
      await page.goto(desk.invite());
      await shows(page, texts.startChat);
    },
  },
  {
    name: 'unclaimed-busy',
    async reach({ page, desk }) {
      await hold(page, 'assets/room*.js');
      await page.goto(desk.invite());
      await page.getByRole('button', { name: texts.startChat }).click();
      await shows(page, texts.startChatBusy);
    },
  },
  {
    name: 'name',
    async reach({ page, desk }) {
      await page.goto(desk.invite());
      await page.getByRole('button', { name: texts.startChat }).click();
      await shows(page, texts.nameTitle);
    },
  },
  {
    name: 'name-error',
    async reach({ page, desk }) {
      await giveName(page, desk.invite(), 'jonas@example.org');
      await shows(page, texts.nameHasContact);
    },
  },
  {
    name: 'name-busy',
    async reach({ page, desk }) {
      await hold(page, 'claimInvite');
      await giveName(page, desk.invite(), 'Jonas Weber');
      await shows(page, texts.nameBusy);
    },
  },
  {
    name: 'unclaimed-bound',
    async reach(stage) {
      await stage.page.goto((await takenInvite(stage)).invite);
      await shows(stage.page, texts.enterCode);
    },
  },
  {
    name: 'code',
    async reach(stage) {
      await giveName(stage.page, (await takenInvite(stage)).invite, 'Jonas Weber');
      await shows(stage.page, texts.codeTitle);
    },
  },
  { name: 'code-error', reach: (stage) => enterCode(stage, texts.codeWrong) },
  {
    name: 'code-busy',
    reach: (stage) => enterCode(stage, texts.codeBusy, () => hold(stage.page, 'attachInvite')),
  },
  {
    name: '404',
    async reach({ page }) {
      await page.goto('/nowhere');
      await shows(page, texts.notFoundTitle);
    },
  },
];

/** In the chat. */
export const chatting: State[] = [
  {
    name: 'chat-empty',
    async reach({ page, desk }) {
      await startChatWithForms(page, desk.invite(), 'Jonas Weber');
      await bannerCode(page);
    },
  },
  {
    name: 'chat-loading',
    async reach({ page, desk }) {
      await startChat(page, desk.invite(), 'Jonas Weber');
      const line = await holdLine(page);
      line.onDown = (frame) => (frame.includes('"watched"') ? undefined : frame);
      await page.reload();
      await expect(page.getByText(texts.messagesLoading)).toBeAttached();
    },
  },
  {
    name: 'chat',
    async reach(stage) {
      await openChat(stage, conversation(), { owner: 1 });
      await shows(stage.page, texts.sent);
    },
  },
  {
    name: 'chat-top',
    async reach(stage) {
      await openChat(stage, conversation());
      await bubbles(stage.page).first().scrollIntoViewIfNeeded();
      await stage.page.getByRole('log').evaluate((list) => list.scrollTo(0, 0));
    },
  },
  {
    name: 'chat-seen',
    async reach(stage) {
      await openChat(stage, conversation());
      await shows(stage.page, texts.seen);
    },
  },
  {
    name: 'chat-typing',
    async reach({ page, browser }) {
      await holdTimers(page, 5_000);
      const handler = createHandler();
      await startChat(page, createInvite(handler.alias), 'Jonas Weber');
      await send(page, 'Are you there?');
      const { page: console } = await newPerson(browser);
      await signIn(console, handler);
      await console.getByRole('link', { name: /Jonas Weber/ }).click();
      // The console sends no typing signal before it watches the conversation, and the next one only 3 s later.
      await expect(async () => {
        await console.getByRole('textbox', { name: /message/i }).press('a');
        await expect(page.getByText('is typing')).toBeAttached({ timeout: 500 });
      }).toPass();
    },
  },
  {
    name: 'chat-failed',
    async reach(stage) {
      const line = await holdLine(stage.page);
      line.onUp = refuseSends;
      await openChat(stage, conversationToAnswer());
      await send(stage.page, 'This one does not get through.');
      await shows(stage.page, texts.notSent);
    },
  },
  {
    name: 'chat-sending',
    async reach(stage) {
      const line = await holdLine(stage.page);
      line.onUp = (frame) => (frame.includes('"type":"send"') ? undefined : frame);
      await openChat(stage, conversationToAnswer());
      await send(stage.page, 'This one is on its way.');
      await shows(stage.page, texts.sending);
    },
  },
  {
    name: 'offline',
    reach: goOffline,
  },
  {
    name: 'back-online',
    async reach(stage) {
      await holdTimers(stage.page, 2_000);
      const line = await goOffline(stage);
      await line.mend();
      await shows(stage.page, texts.backOnline);
    },
  },
];

/** Menus, tooltips and absence. */
export const more: State[] = [
  {
    name: 'new-divider',
    async reach(stage) {
      await openChat(stage, conversationToAnswer(), { visitor: 3 });
      await shows(stage.page, texts.newDivider);
    },
  },
  {
    name: 'new-pill',
    async reach(stage) {
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
  },
  {
    name: 'chat-tools',
    async reach(stage) {
      await openChat(stage, conversation());
      await bubbles(stage.page).nth(-2).locator('p').first().click();
    },
  },
  { name: 'more-menu', reach: openMenu },
  {
    name: 'change-name',
    async reach(stage) {
      await openMenu(stage);
      await stage.page.getByRole('menuitem', { name: texts.changeName }).click();
      await shows(stage.page, texts.save);
    },
  },
  {
    name: 'mail-address',
    async reach(stage) {
      await openMailForm(stage, { address: null, pending: null, refused: false });
      await shows(stage.page, visitorMailTexts.send);
    },
  },
  {
    name: 'mail-code',
    async reach(stage) {
      await openMailForm(stage, { address: null, pending: 'j…@example.org', refused: true });
      await shows(stage.page, visitorMailTexts.refused);
    },
  },
  {
    name: 'mail-change',
    async reach(stage) {
      await openMailForm(stage, { address: 'j…@example.org', pending: 'w…@example.com', refused: false });
      await shows(stage.page, visitorMailTexts.sendAgain);
    },
  },
  {
    name: 'mail-on',
    async reach(stage) {
      await openMailForm(stage, { address: 'j…@example.org', pending: null, refused: false });
      await shows(stage.page, visitorMailTexts.remove);
    },
  },
  {
    name: 'mail-elsewhere',
    async reach({ page }) {
      await page.goto('/chat#00000000-0000-4000-8000-000000000000');
      await shows(page, visitorMailTexts.elsewhereTitle);
    },
  },
  {
    name: 'device-joined',
    async reach(stage) {
      await joinedChat(stage);
      await shows(stage.page, deviceTexts.joined);
    },
  },
  {
    name: 'devices',
    async reach(stage) {
      await joinedChat(stage);
      await stage.page.getByRole('button', { name: deviceTexts.showDevices }).click();
      await shows(stage.page, deviceTexts.thisDevice);
    },
  },
  {
    name: 'device-removed',
    async reach(stage) {
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
  },
  {
    name: 'fresh-code',
    async reach(stage) {
      await openMenu(stage);
      await stage.page.getByRole('menuitem', { name: texts.anotherDevice }).click();
      await bannerCode(stage.page);
    },
  },
  {
    name: 'seal-tooltip',
    async reach(stage) {
      await openChat(stage, conversation());
      // By keyboard, because the pointer would be elsewhere after a change of size.
      await shows(stage.page, texts.seen);
      await stage.page.getByRole('img', { name: texts.verifiedTooltip }).first().focus();
      await shows(stage.page, texts.verifiedTooltip);
    },
  },
  {
    name: 'brand',
    async reach({ page }) {
      await page.goto('/chat');
      await shows(page, texts.online);
    },
  },
  {
    name: 'brand-auth-error',
    async reach({ page }) {
      await page.route('**/auth/anonymous', (route) => route.abort());
      await page.goto('/chat');
      await shows(page, texts.authErrorShort);
    },
  },
];

/** After the end. */
export const ended: State[] = [
  { name: 'closed-reopens', reach: (stage) => endChat(stage, 'closed', 1, texts.reopenNote) },
  { name: 'closed', reach: (stage) => endChat(stage, 'closed', 8, texts.closedTitle) },
  { name: 'blocked', reach: (stage) => endChat(stage, 'blocked', 0, texts.closedTitle) },
  {
    name: 'signed-out',
    async reach(stage) {
      const line = await holdLine(stage.page);
      const invite = await openChat(stage, conversation());
      await shows(stage.page, texts.seen);
      await revokeDevices(invite);
      // The page learns about it with its next request.
      await line.cut();
      await line.mend();
      await shows(stage.page, texts.signedOutHere);
    },
  },
  {
    name: 'too-many-tabs',
    async reach(stage) {
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
  },
];

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
