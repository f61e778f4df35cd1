import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler } from '../product/accounts.ts';
import { makeThread, writeNotes, writeReplies } from '../product/database.ts';
import { openConversation } from '../product/people.ts';
import { conversation } from './sampleMessages.ts';
import { type Stage, type State, shows } from './stage.ts';

const MINUTE_MS = 60_000;

const replies = {
  thanks: 'Thank you so much for reading it so closely, {name}.',
  tour: 'All the dates are on the tour page, and more are being added every week until the summer.',
  sign: 'Send me the name for the dedication and I will write it into the book myself.',
  'reading-group': 'قائمة أسئلة القراءة على الموقع.',
};

/** Notes, saved replies, and a reply after a colleague's. */
export const consoleWritingStates: State[] = [
  {
    name: 'console-note',
    async reach(stage) {
      const { page } = stage;
      await openWithNotes(stage);
      await page.getByRole('tab', { name: consoleTexts.noteTab }).click();
      await shows(page, 'no spoilers past chapter 9');
      await page
        .getByPlaceholder(consoleTexts.notePlaceholder)
        .fill('He asked twice. Tell him about the drawer.');
    },
  },
  {
    name: 'console-note-failed',
    async reach(stage) {
      const { page } = stage;
      await openWithNotes(stage);
      await page.route('**/notes', (route) => route.abort());
      await page.getByRole('tab', { name: consoleTexts.noteTab }).click();
      await page.getByPlaceholder(consoleTexts.notePlaceholder).fill('He asked twice.');
      await page.getByRole('button', { name: consoleTexts.noteSubmit }).click();
      await shows(page, consoleTexts.noteFailed);
    },
  },
  {
    name: 'console-replies-picker',
    async reach(stage) {
      const { page } = stage;
      await openWithNotes(stage);
      await page.getByPlaceholder(consoleTexts.staffPlaceholder).pressSequentially('Good evening! /t');
      await expect(page.getByRole('listbox')).toBeVisible();
    },
  },
  {
    name: 'console-replies',
    async reach(stage) {
      await openWithNotes(stage);
      await openReplies(stage.page);
      await stage.page.getByRole('button', { name: `${consoleTexts.delete} /sign` }).click();
    },
  },
  {
    name: 'console-replies-form',
    async reach(stage) {
      const dialog = stage.page.getByRole('dialog');
      await openWithNotes(stage);
      await openReplies(stage.page);
      await dialog.getByRole('button', { name: consoleTexts.newReply }).click();
      await dialog.getByLabel(consoleTexts.replyShortcut).fill('so long');
      await dialog
        .getByLabel(consoleTexts.replyText)
        .fill('Goodbye, {name}, and thank you for your letters.');
      await dialog.getByRole('button', { name: consoleTexts.save }).click();
      await shows(stage.page, 'A shortcut has letters');
    },
  },
  {
    name: 'console-details-failed',
    async reach(stage) {
      const { page } = stage;
      await page.route('**/details', (route) => route.abort());
      await openWithNotes(stage);
      await page.setViewportSize({ width: 768, height: 1024 });
      await page.getByRole('button', { name: texts.more, exact: true }).click();
      await page.getByRole('menuitem', { name: consoleTexts.details }).click();
      await shows(page, consoleTexts.detailsFailed);
    },
  },
];

async function openReplies(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: consoleTexts.savedReplies }).click();
}

/** A conversation with notes in it, and a handler with saved replies. */
async function openWithNotes({ page }: Stage): Promise<void> {
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
