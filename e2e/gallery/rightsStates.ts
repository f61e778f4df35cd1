import { expect, type Page } from '@playwright/test';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { send, startChat } from '../product/people.ts';
import { type State, shows } from './stage.ts';

/** Downloading and deleting a conversation, for visitors. */
export const rightsStates: State[] = [
  {
    name: 'visitor-download',
    async reach({ page }) {
      await choose(page, rightsTexts.download);
      await shows(page, rightsTexts.downloadNote);
    },
  },
  {
    name: 'visitor-delete',
    async reach({ page }) {
      await choose(page, rightsTexts.erase);
      await shows(page, rightsTexts.eraseFinal);
    },
  },
  {
    name: 'visitor-deleted',
    async reach({ page }) {
      await choose(page, rightsTexts.erase);
      await page.getByRole('dialog').getByRole('button', { name: rightsTexts.erase }).click();
      await shows(page, rightsTexts.erasedTitle);
    },
  },
];

async function choose(page: Page, item: string): Promise<void> {
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'Hello, are you there?');
  await expect(page.getByRole('log')).toContainText('are you there?');
  await page.getByRole('button', { name: texts.more }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
