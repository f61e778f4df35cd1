import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler } from '../product/accounts.ts';
import { makeConversations } from '../product/database.ts';
import { PALETTE, palette } from '../product/pages.ts';
import { enterConsole } from '../product/people.ts';
import { type State, shows } from './stage.ts';

/** Overlays of the console for keyboard users. */
export const keyboardStates: State[] = [
  {
    name: 'console-palette',
    async reach({ page }) {
      await openPalette(page);
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'console-palette-found',
    async reach({ page }) {
      await openPalette(page);
      await palette(page).fill('lea');
      await expect(page.locator('mark').first()).toBeVisible();
    },
  },
  {
    name: 'console-palette-nothing',
    async reach({ page }) {
      await openPalette(page);
      await palette(page).fill('zebra');
      await shows(page, consoleTexts.paletteNothing);
    },
  },
  {
    name: 'console-palette-failed',
    async reach({ page }) {
      await page.route('**/search?*', (route) => route.abort());
      await openPalette(page);
      await palette(page).fill('mark');
      await shows(page, consoleTexts.paletteFailed);
    },
  },
  {
    name: 'console-conversation-menu',
    async reach({ page }) {
      await openChat(page);
      await page.getByRole('button', { name: texts.more, exact: true }).click();
      await shows(page, consoleTexts.transfer);
    },
  },
  {
    name: 'console-shortcuts',
    async reach({ page }) {
      await openChat(page);
      await page.keyboard.press('ControlOrMeta+/');
      await shows(page, consoleTexts.shortcutsTitle);
    },
  },
];

async function openPalette(page: Page): Promise<void> {
  await openChat(page);
  await page.keyboard.press(PALETTE);
  await expect(palette(page)).toBeFocused();
}

async function openChat(page: Page): Promise<void> {
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
