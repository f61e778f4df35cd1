import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { newPerson, signIn, startChat } from '../product/people.ts';
import { createHandler, createInvites, type Written, writeHistory } from '../product/settee.ts';
import { type Stage, type State, shows } from './stage.ts';
import { conversation } from './words.ts';

const MINUTE_MS = 60_000;

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
  { name: 'console-queue', reach: openQueue },
  {
    name: 'console-conversation',
    async reach(stage) {
      await openQueue(stage);
      await stage.page.getByRole('link', { name: /Jonas Weber/ }).click();
      await shows(stage.page, consoleTexts.chatWith);
      await expect(stage.page.getByRole('log').locator('[data-side]').last()).toBeInViewport();
    },
  },
  {
    name: 'console-not-found',
    async reach({ page }) {
      await signIn(page, createHandler());
      await page.goto(`/handler/conversation/${randomUUID()}`);
      await shows(page, texts.conversationNotFound);
    },
  },
];

async function openQueue({ page, browser }: Stage): Promise<void> {
  const handler = createHandler();
  const people: [name: string, messages: Written[], unseen: number][] = [
    ['Jonas Weber', conversation(), 1],
    ['Léa Moreau', [said(4, 'Will there be a second printing? The shop on our street has none left.')], 1],
    ['Adaeze Obi', [said(55, 'Good evening!'), said(42, 'I wrote you a letter in March.')], 2],
    ['نور الدين', [said(60 * 26, 'شكرا جزيلا')], 0],
  ];
  const invites = createInvites(handler.alias, people.length);
  for (const [index, [name, messages, unseen]] of people.entries()) {
    const invite = invites[index] ?? '';
    const { context, page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, name);
    await context.close();
    await writeHistory(invite, messages, { owner: unseen });
  }
  await signIn(page, handler);
  await expect(page.getByRole('link', { name: /Léa Moreau/ })).toBeVisible();
}

function said(minutesAgo: number, text: string): Written {
  return { from: 'visitor', text, at: new Date(Date.now() - minutesAgo * MINUTE_MS) };
}
