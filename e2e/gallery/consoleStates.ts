import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler } from '../product/accounts.ts';
import { type Left, makeConversations, makeThread } from '../product/database.ts';
import { enterConsole, openConversation, signIn } from '../product/people.ts';
import { conversation } from './sampleMessages.ts';
import { type State, shows } from './stage.ts';

export const consoleStates: State[] = [
  {
    name: 'console-sign-in',
    async reach({ page }) {
      await page.goto('/handler');
      await shows(page, consoleTexts.signInTitle);
    },
  },
  {
    name: 'console-queue-empty',
    async reach({ page }) {
      await signIn(page, createHandler());
      await shows(page, consoleTexts.queueEmptyTitle);
    },
  },
  {
    name: 'console-queue-busy',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler');
      await shows(page, consoleTexts.draftMark);
    },
  },
  {
    name: 'console-queue-unread',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler?show=unread');
      await shows(page, 'Adaeze Obi');
    },
  },
  {
    name: 'console-queue-waiting-none',
    async reach({ page }) {
      const handler = createHandler();
      await makeConversations(handler.alias, [
        { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
      ]);
      await enterConsole(page, handler, '/handler?show=waiting');
      await shows(page, consoleTexts.noneWaiting);
    },
  },
  {
    name: 'console-queue-closed',
    async reach({ page }) {
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
  },
  {
    name: 'console-queue-closed-failed',
    async reach({ page }) {
      await page.route('**/queue/closed', (route) => route.abort());
      await enterConsole(page, createHandler(), '/handler?show=closed');
      await shows(page, consoleTexts.couldNotLoadClosed);
    },
  },
  {
    name: 'console-conversation',
    async reach({ page }) {
      const handler = createHandler();
      await makeConversations(handler.alias, waitingPeople);
      const id = await makeThread(handler.alias, 'Jonas Weber', conversation(), 1);
      await openConversation(page, handler, id);
      await expect(page.getByRole('log').locator('[data-side]').last()).toBeInViewport();
      await shows(page, consoleTexts.aboutMedian);
    },
  },
  {
    name: 'console-queue-selecting',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler');
      await page.getByRole('button', { name: consoleTexts.selectChats }).click();
      await page.getByRole('checkbox', { name: /Adaeze Obi/ }).check();
      await page.getByRole('checkbox', { name: /Tomás Herrera/ }).check();
      await shows(page, '2 selected');
    },
  },
  {
    name: 'console-queue-close-many',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler');
      await page.getByRole('button', { name: consoleTexts.selectChats }).click();
      await page.getByRole('button', { name: consoleTexts.selectAll }).click();
      await page.getByRole('button', { name: consoleTexts.close, exact: true }).click();
      await shows(page, consoleTexts.closeManyNote);
    },
  },
  {
    name: 'console-snooze',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler');
      await page.getByRole('button', { name: consoleTexts.selectChats }).click();
      await page.getByRole('checkbox', { name: /Adaeze Obi/ }).check();
      await page.getByRole('button', { name: consoleTexts.snooze }).click();
      await shows(page, consoleTexts.snoozeNote);
    },
  },
  {
    name: 'console-queue-snoozed',
    async reach({ page }) {
      await busyQueue(page);
      await page.goto('/handler');
      await page.getByRole('button', { name: consoleTexts.selectChats }).click();
      await page.getByRole('checkbox', { name: /Adaeze Obi/ }).check();
      await page.getByRole('button', { name: consoleTexts.snooze }).click();
      await page.getByRole('button', { name: consoleTexts.snoozeTomorrow }).click();
      await shows(page, fillText(consoleTexts.snoozedChat, { name: 'Adaeze Obi' }));
      await page.goto('/handler?show=snoozed');
      await shows(page, 'Adaeze Obi');
    },
  },
  {
    name: 'console-queue-caught-up',
    async reach({ page }) {
      const handler = createHandler();
      await makeConversations(handler.alias, [
        { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
      ]);
      await signIn(page, handler);
      await shows(page, 'Tomás Herrera');
    },
  },
  {
    name: 'console-not-found',
    async reach({ page }) {
      await enterConsole(page, createHandler(), `/handler/conversation/${randomUUID()}`);
      await shows(page, texts.conversationNotFound);
    },
  },
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
  { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
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
