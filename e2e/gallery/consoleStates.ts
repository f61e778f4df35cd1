import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler, createInvite } from '../product/accounts.ts';
import {
  endSessions,
  inDatabase,
  type Left,
  makeConversations,
  makeThread,
  moveToDesk,
  revokeConversation,
  writeNotes,
  writeReplies,
} from '../product/database.ts';
import { hold, holdLine } from '../product/network.ts';
import { fromPalette, holdTimers, PALETTE, palette } from '../product/pages.ts';
import {
  bannerCode,
  enterConsole,
  newPerson,
  openConversation,
  openWithCode,
  send,
  signIn,
  startChatWithForms,
} from '../product/people.ts';
import { answer, conversation, openThread, type Stage, shows, states } from './stage.ts';

export const consoleStates = states({
  'console-sign-in': async ({ page }) => {
    await page.goto('/handler');
    await shows(page, consoleTexts.signInTitle);
  },
  'console-queue-empty': async ({ page }) => {
    await signIn(page, createHandler());
    await shows(page, consoleTexts.queueEmptyTitle);
  },
  'console-queue-busy': async ({ page }) => {
    await busyQueue(page);
    await page.goto('/handler');
    await shows(page, consoleTexts.draftMark);
  },
  'console-queue-unread': async ({ page }) => {
    await busyQueue(page);
    await page.goto('/handler?show=unread');
    await shows(page, 'Adaeze Obi');
  },
  'console-queue-waiting-none': async ({ page }) => {
    const handler = createHandler();
    await makeConversations(handler.alias, answered);
    await enterConsole(page, handler, '/handler?show=waiting');
    await shows(page, consoleTexts.noneWaiting);
  },
  'console-queue-closed': async ({ page }) => {
    const handler = createHandler();
    await makeConversations(handler.alias, [
      { name: 'Ewa Nowak', text: 'Until next time!', minutesAgo: 34, status: 'closed' },
      {
        name: '',
        text: 'Buy now, cheapest prices on the whole wide web',
        minutesAgo: 180,
        status: 'blocked',
      },
      { name: 'Yusuf Aydın', text: 'With pleasure.', minutesAgo: 60 * 30, from: 'owner', status: 'closed' },
    ]);
    await enterConsole(page, handler, '/handler?show=closed');
    await shows(page, 'Ewa Nowak');
  },
  'console-queue-closed-failed': async ({ page }) => {
    await page.route('**/queue/closed', (route) => route.abort());
    await enterConsole(page, createHandler(), '/handler?show=closed');
    await shows(page, consoleTexts.couldNotLoadClosed);
  },
  'console-conversation': async ({ page }) => {
    const handler = createHandler();
    await makeConversations(handler.alias, waitingPeople);
    const id = await makeThread(handler.alias, 'Jonas Weber', conversation(), 1);
    await openConversation(page, handler, id);
    await expect(page.getByRole('log').locator('[data-side]').last()).toBeInViewport();
    await shows(page, consoleTexts.aboutMedian);
  },
  'console-queue-selecting': async ({ page }) => {
    await select(page, 'Adaeze Obi', 'Tomás Herrera');
    await shows(page, '2 selected');
  },
  'console-queue-close-many': async ({ page }) => {
    await select(page);
    await page.getByRole('button', { name: consoleTexts.selectAll }).click();
    await page.getByRole('button', { name: consoleTexts.close, exact: true }).click();
    await shows(page, consoleTexts.closeManyNote);
  },
  'console-snooze': async ({ page }) => {
    await select(page, 'Adaeze Obi');
    await page.getByRole('button', { name: consoleTexts.snooze }).click();
    await shows(page, consoleTexts.snoozeNote);
  },
  'console-queue-snoozed': async ({ page }) => {
    await select(page, 'Adaeze Obi');
    await page.getByRole('button', { name: consoleTexts.snooze }).click();
    await page.getByRole('button', { name: consoleTexts.snoozeTomorrow }).click();
    await shows(page, fillText(consoleTexts.snoozedChat, { name: 'Adaeze Obi' }));
    await page.goto('/handler?show=snoozed');
    await shows(page, 'Adaeze Obi');
  },
  'console-queue-caught-up': async ({ page }) => {
    const handler = createHandler();
    await makeConversations(handler.alias, answered);
    await signIn(page, handler);
    await shows(page, 'Tomás Herrera');
  },
  'console-desks': async ({ page }) => {
    const { id } = await threeDesks(page);
    await page.goto(`/handler/conversation/${id}`);
    await shows(page, consoleTexts.aboutMedian);
  },
  'console-desks-menu': async ({ page }) => {
    await threeDesks(page);
    await page
      .getByRole('button', { name: fillText(consoleTexts.queueHandler, { alias: 'all desks (3)' }) })
      .click();
    await shows(page, consoleTexts.offDuty);
  },
  'console-desks-one': async ({ page }) => {
    const { alias } = await threeDesks(page);
    await page.goto(`/handler?desk=${alias}`);
    await shows(page, 'My Queue (2)');
  },
  'console-desks-account': {
    async reach({ page }) {
      await threeDesks(page);
      await openPersonMenu(page);
    },
    async again(page) {
      await page.keyboard.press('Escape');
      await openPersonMenu(page);
    },
  },
  'console-not-found': async ({ page }) => {
    await enterConsole(page, createHandler(), `/handler/conversation/${randomUUID()}`);
    await shows(page, texts.conversationNotFound);
  },
});

const answered: Left[] = [
  { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
];

/** As in the design: waiting, unread and marked conversations. */
const waitingPeople: Left[] = [
  {
    name: 'Adaeze Obi',
    text: 'Is the Berlin date still on? I booked a train for it this morning.',
    minutesAgo: 6,
    unread: 2,
    waitingMinutes: 6,
  },
  { name: '', text: '[Media]', minutesAgo: 18, unread: 1, waitingMinutes: 18 },
  { name: 'سارة المنصوري', text: 'شكرا', minutesAgo: 41 },
  ...answered,
  {
    name: 'Léa Moreau',
    text: 'It’s page 212, second paragraph.',
    minutesAgo: 60 * 25,
    from: 'owner',
    markedUnread: true,
  },
];

/** The same, with a visitor who has just written and an unfinished answer. */
async function busyQueue(page: Page): Promise<void> {
  const handler = createHandler();
  const ids = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 0, waitingMinutes: 0 },
    ...waitingPeople,
  ]);
  await enterConsole(page, handler, `/handler/conversation/${ids[3]}`);
  await page
    .getByPlaceholder(consoleTexts.staffPlaceholder)
    .fill('Thank you, Sara. The Arabic edition comes in May.');
}

/** A person who answers at three desks, and is off duty at one. */
async function threeDesks(page: Page) {
  const [handler, { alias }, tour] = [createHandler(), createHandler(), createHandler()];
  const names = ['Front Desk', 'Presse und Öffentlichkeitsarbeit', 'Tour'];
  await inDatabase(
    `with named as (
       update handlers h set name = n.name from unnest($1::text[], $2::text[]) as n (alias, name) where h.alias = n.alias
     )
     insert into desk_staff (alias, staff_id, off) select d.alias, s.id, d.alias = $4
     from staff s, unnest($1::text[]) as d (alias) where s.alias = $3 on conflict do nothing`,
    [[handler.alias, alias, tour.alias], names, handler.alias, tour.alias],
  );
  const [first, ...others] = waitingPeople;
  await makeConversations(tour.alias, others.slice(0, 1));
  await makeConversations(handler.alias, others.slice(1));
  await makeConversations(alias, first ? [first] : []);
  const id = await makeThread(alias, 'Jonas Weber', conversation(), 1);
  await signIn(page, handler);
  return { id, alias };
}

/** Selects these people in the busy queue. */
async function select(page: Page, ...names: string[]): Promise<void> {
  await busyQueue(page);
  await page.goto('/handler');
  await page.getByRole('button', { name: consoleTexts.selectChats }).click();
  for (const name of names) await page.getByRole('checkbox', { name: new RegExp(name) }).check();
}

/** The frame around a conversation, dialogs over it, and the pages before the console. */
export const consoleFrameStates = states({
  'console-loading': async ({ page }) => {
    // The page waits 3 s for the answer. Here it waits forever.
    await holdTimers(page, 3_000);
    await hold(page, 'auth/staff/refresh');
    await page.goto('/handler');
    await shows(page, consoleTexts.consoleLoadingNote);
  },
  'console-authentication-error': async ({ page }) => {
    await page.route('**/auth/staff/refresh', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/handler');
    await shows(page, consoleTexts.authErrorTitle);
  },
  'console-broken': async ({ page, desk }) => {
    await signIn(page, desk.handler);
    await page.addInitScript(() =>
      Object.defineProperty(document, 'title', {
        get: () => 'Console',
        set() {
          throw new Error('broken on purpose');
        },
      }),
    );
    await page.reload();
    await shows(page, consoleTexts.consoleBroken);
  },
  'console-handler-test': async ({ page, desk }) => {
    await enterConsole(page, desk.handler, '/handler-test');
    await shows(page, desk.handler.alias);
  },
  'console-queue-loading': async ({ page, desk }) => {
    await signIn(page, desk.handler);
    await hold(page, 'queue?*');
    await page.routeWebSocket('**/live', () => {});
    await page.reload();
    await shows(page, consoleTexts.queueLoading);
  },
  'console-person-menu': {
    async reach({ page, desk }) {
      await signIn(page, desk.handler);
      await openPersonMenu(page);
    },
    // In the rail or in the queue's header, depending on the width.
    async again(page) {
      await page.keyboard.press('Escape');
      await openPersonMenu(page);
    },
  },
  'console-more-menu': async (stage) => {
    await openOne(stage);
    await press(stage.page, texts.more);
    await shows(stage.page, consoleTexts.transfer);
  },
  'console-details': async (stage) => {
    await openOne(stage);
    await openDetails(stage.page);
    await expect(stage.page.getByRole('dialog')).toBeVisible();
  },
  'console-devices': async ({ page, browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const { page: first } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Jonas Weber');
    await send(first, 'Which page was it?');
    const { page: second } = await newPerson(browser);
    await openWithCode(second, invite, 'Jonas Weber', await bannerCode(first));
    await signIn(page, handler);
    await page.getByRole('link', { name: /Jonas Weber/ }).click();
    await openDetails(page);
    await page.getByRole('dialog').getByText(deviceTexts.devices, { exact: true }).last().click();
    await expect(page.getByRole('button', { name: /^Remove / }).first()).toBeVisible();
  },
  'console-offline': async ({ page }) => {
    const handler = createHandler();
    await makeThread(handler.alias, 'Jonas Weber', conversation());
    const line = await holdLine(page);
    await signIn(page, handler);
    await shows(page, 'Jonas Weber');
    await line.cut();
    await shows(page, texts.offlineBanner);
  },
  'console-sign-in-wrong': async ({ page, desk }) => {
    await page.goto('/handler');
    await page.getByLabel(consoleTexts.signInEmail).fill(desk.handler.email);
    await page.getByLabel(consoleTexts.signInPassword).fill('not the password');
    await page.getByRole('button', { name: consoleTexts.signInSubmit }).click();
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible();
  },
  'console-sign-in-single-sign-on': async ({ page }) => {
    await answer(page, '**/auth/staff/sign-in', { singleSignOn: 'Example Login' });
    const result = encodeURIComponent(JSON.stringify({ problem: 'unknown' }));
    await page.goto(`/handler#sso=${result}`);
    await shows(page, consoleTexts.ssoProblems.unknown);
    await shows(page, 'Sign in with Example Login');
  },
  'console-block': async (stage) => {
    await openOne(stage);
    await press(stage.page, consoleTexts.block);
    await shows(stage.page, consoleTexts.blockNote);
  },
  'console-hand-over': async (stage) => {
    await openOne(stage);
    // The test installation has hundreds. Two are enough for a screenshot.
    const desks = [
      { alias: 'mara-east', people: ['Ana Kovač', 'Emil Sand'], online: true },
      { alias: 'mara-west', people: ['Yuki Tanaka'], online: false },
    ];
    await answer(stage.page, '**/desks', { desks });
    await press(stage.page, texts.more);
    await stage.page.getByRole('menuitem', { name: consoleTexts.transfer }).click();
    await stage.page.getByRole('radio', { name: /mara-east/ }).check();
  },
  'console-undo': async (stage) => {
    await openOne(stage);
    await press(stage.page, consoleTexts.close);
    // It stays visible while it has the focus.
    await stage.page.getByRole('button', { name: consoleTexts.undo }).focus();
  },
  'console-no-access': async (stage) => {
    const id = await openOne(stage);
    await stage.page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('I will ask');
    await revokeConversation(id);
    await shows(stage.page, consoleTexts.accessRevoked);
  },
  'console-sign-out': async (stage) => {
    await openOne(stage);
    await stage.page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('I will ask');
    await fromPalette(stage.page, 'sign out', consoleTexts.signOut);
    await shows(stage.page, consoleTexts.signOutTitle);
  },
  'console-signed-out': async (stage) => {
    const handler = createHandler();
    const id = await makeThread(handler.alias, 'Jonas Weber', conversation());
    await openConversation(stage.page, handler, id);
    await stage.page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('I will ask');
    await endSessions(handler);
    await shows(stage.page, consoleTexts.signedOut);
  },
  'console-read-only': async (stage) => {
    const id = await openOne(stage);
    await moveToDesk(id, stage.desk.handler.alias);
    await shows(stage.page, consoleTexts.notYours);
  },
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A desk with one conversation, which is open. */
async function openOne({ page }: Stage): Promise<string> {
  const id = await openThread(page);
  await expect(page.getByRole('log').locator('[data-side]').last()).toBeInViewport();
  return id;
}

/** At a width at which they are a dialog. */
async function openDetails(page: Page): Promise<void> {
  await page.setViewportSize({ width: 768, height: 800 });
  await press(page, texts.more);
  await page.getByRole('menuitem', { name: consoleTexts.details }).click();
}

async function openPersonMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: new RegExp(consoleTexts.me) }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

/** Overlays of the console for keyboard users. */
export const keyboardStates = states({
  'console-palette': async ({ page }) => {
    await openPalette(page);
    await expect(page.getByRole('option').first()).toBeVisible();
  },
  'console-palette-found': async ({ page }) => {
    await openPalette(page);
    await palette(page).fill('lea');
    await expect(page.locator('mark').first()).toBeVisible();
  },
  'console-palette-nothing': async ({ page }) => {
    await openPalette(page);
    await palette(page).fill('zebra');
    await shows(page, consoleTexts.paletteNothing);
  },
  'console-palette-failed': async ({ page }) => {
    await page.route('**/search?*', (route) => route.abort());
    await openPalette(page);
    await palette(page).fill('mark');
    await shows(page, consoleTexts.paletteFailed);
  },
  'console-shortcuts': async ({ page }) => {
    await openForKeys(page);
    await page.keyboard.press('ControlOrMeta+/');
    await shows(page, consoleTexts.shortcutsTitle);
  },
});

async function openPalette(page: Page): Promise<void> {
  await openForKeys(page);
  await page.keyboard.press(PALETTE);
  await expect(palette(page)).toBeFocused();
}

async function openForKeys(page: Page): Promise<void> {
  const handler = createHandler();
  const [id = ''] = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 1 },
    { name: 'Léa Moreau', text: 'It is page 212, second paragraph.', minutesAgo: 8, unread: 1 },
    {
      name: 'Adaeze Obi',
      text: 'I wrote you a letter in March, and a second one in June when nothing came, and then I read in the paper that Léa does your post and thought: well, then she has it. Leave it with her, it is no secret.',
      minutesAgo: 60 * 26,
    },
    { name: 'سارة المنصوري', text: 'شكرا جزيلا يا Léa', minutesAgo: 60 * 50 },
    {
      name: 'Tomás Herrera',
      text: 'Will you leave the light on?',
      minutesAgo: 60 * 90,
      from: 'owner',
      status: 'closed',
    },
    { name: 'Lea Nowak', text: 'Until next time!', minutesAgo: 60 * 400, status: 'closed' },
  ]);
  await enterConsole(page, handler, `/handler/conversation/${id}`);
  await expect(page.getByRole('log').getByText('May I read it')).toBeVisible();
}

const MINUTE_MS = 60_000;

const replies = {
  thanks: 'Thank you so much for reading it so closely, {name}.',
  tour: 'All the dates are on the tour page, and more are being added every week until the summer.',
  sign: 'Send me the name for the dedication and I will write it into the book myself.',
  'reading-group': 'قائمة أسئلة القراءة على الموقع.',
};

/** Notes, saved replies, and a reply after a colleague's. */
export const consoleWritingStates = states({
  'console-note': async ({ page }) => {
    await openWithNotes(page);
    await page.getByRole('tab', { name: consoleTexts.noteTab }).click();
    await shows(page, 'no spoilers past chapter 9');
    await page
      .getByPlaceholder(consoleTexts.notePlaceholder)
      .fill('He asked twice. Tell him about the drawer.');
  },
  'console-note-failed': async ({ page }) => {
    await openWithNotes(page);
    await page.route('**/notes', (route) => route.abort());
    await page.getByRole('tab', { name: consoleTexts.noteTab }).click();
    await page.getByPlaceholder(consoleTexts.notePlaceholder).fill('He asked twice.');
    await page.getByRole('button', { name: consoleTexts.noteSubmit }).click();
    await shows(page, consoleTexts.noteFailed);
  },
  'console-replies-picker': async ({ page }) => {
    await openWithNotes(page);
    await page.getByPlaceholder(consoleTexts.staffPlaceholder).pressSequentially('Good evening! /t');
    await expect(page.getByRole('listbox')).toBeVisible();
  },
  'console-replies': async ({ page }) => {
    await openWithNotes(page);
    await openReplies(page);
    await page.getByRole('button', { name: `${consoleTexts.delete} /sign` }).click();
  },
  'console-replies-form': async ({ page }) => {
    const dialog = page.getByRole('dialog');
    await openWithNotes(page);
    await openReplies(page);
    await dialog.getByRole('button', { name: consoleTexts.newReply }).click();
    await dialog.getByLabel(consoleTexts.replyShortcut).fill('so long');
    await dialog.getByLabel(consoleTexts.replyText).fill('Goodbye, {name}, and thank you for your letters.');
    await dialog.getByRole('button', { name: consoleTexts.save }).click();
    await shows(page, 'A shortcut has letters');
  },
  'console-details-failed': async ({ page }) => {
    await page.route('**/details', (route) => route.abort());
    await openWithNotes(page);
    await openDetails(page);
    await shows(page, consoleTexts.detailsFailed);
  },
});

async function openReplies(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: consoleTexts.savedReplies }).click();
}

/** A conversation with notes in it, and a handler with saved replies. */
async function openWithNotes(page: Page): Promise<void> {
  const handler = createHandler();
  const id = await makeThread(handler.alias, 'Jonas Weber', conversation());
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
  await writeNotes(id, [
    { afterSeq: 12, text: '', at: ago(200), handover: { from: 'mara-west', to: 'mara-east' } },
    {
      afterSeq: 13,
      text: 'Mara is happy to answer plot questions, just no spoilers past chapter 9.',
      at: ago(3),
    },
  ]);
  await writeReplies(id, replies);
  await openConversation(page, handler, id);
  await shows(page, 'no spoilers past chapter 9');
}
