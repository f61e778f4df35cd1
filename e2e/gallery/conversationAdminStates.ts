import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { deletedTexts } from '@settee/protocol/texts/deletedTexts';
import { createHandler } from '../product/accounts.ts';
import { enterAdmin } from '../product/admins.ts';
import { type Left, makeConversations, makeThread, writeNotes } from '../product/database.ts';
import { conversation } from './sampleMessages.ts';
import { type Stage, type State, shows } from './stage.ts';

/** As in the design: waiting, closed and blocked visitors. */
const people: Left[] = [
  { name: '', text: '[Media]', minutesAgo: 18, waitingMinutes: 18 },
  {
    name: 'Adaeze Obi',
    text: 'Is the Berlin date still on? I booked a train for it this morning.',
    minutesAgo: 26,
    waitingMinutes: 6,
  },
  { name: 'سارة المنصوري', text: 'شكرا', minutesAgo: 41 },
  { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
  { name: 'Ewa Nowak', text: 'Until next time!', minutesAgo: 340, status: 'closed' },
  { name: 'Buy now', text: 'Cheapest prices on the whole wide web', minutesAgo: 900, status: 'blocked' },
];

async function openList({ page }: Stage): Promise<string> {
  const { alias } = createHandler();
  await makeConversations(alias, people);
  const id = await makeThread(alias, 'Jonas Weber', conversation(), 1);
  await writeNotes(id, [{ afterSeq: 4, text: 'An old friend of the house.', at: new Date() }]);
  await enterAdmin(page, { path: `/admin/conversations?alias=${alias}` });
  await shows(page, 'Jonas Weber');
  return id;
}

export const conversationAdminStates: State[] = [
  {
    name: 'admin-conversations',
    async reach(stage) {
      await openList(stage);
      for (const name of ['Adaeze Obi', 'Jonas Weber']) {
        await stage.page.getByRole('checkbox', { name: `Select ${name}` }).check();
      }
      await shows(stage.page, '2 selected');
    },
  },
  {
    name: 'admin-conversations-none',
    async reach({ page }) {
      const { alias } = createHandler();
      await enterAdmin(page, { path: `/admin/conversations?alias=${alias}` });
      await shows(page, adminTexts.noMatches);
    },
  },
  {
    name: 'admin-conversation',
    async reach(stage) {
      await openList(stage);
      await stage.page.getByRole('link', { name: /Jonas Weber/ }).click();
      await shows(stage.page, texts.viewing);
      await shows(stage.page, 'Then we are two.');
    },
  },
  {
    name: 'admin-conversations-deleted',
    async reach(stage) {
      await stage.page.route('**/manage/conversations?*', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...((await answer.json()) as object), deleted: deletedRows() } });
      });
      await openList(stage);
      await stage.page.getByText('Deleted (3)').click();
      await shows(stage.page, deletedTexts.note);
    },
  },
  {
    name: 'admin-conversation-menu',
    async reach(stage) {
      await openList(stage);
      await stage.page.getByRole('button', { name: 'Actions for Jonas Weber' }).click();
      await shows(stage.page, texts.block);
    },
  },
  {
    name: 'admin-message-search',
    async reach(stage) {
      await openList(stage);
      await stage.page.goto('/admin/conversations?q=Berlin&in=messages');
      await expect(stage.page.locator('mark').first()).toBeVisible();
    },
  },
  {
    name: 'admin-message-search-start',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/conversations?in=messages' });
      await shows(page, texts.searchStart);
    },
  },
  {
    name: 'admin-conversation-block',
    async reach(stage) {
      await openList(stage);
      await stage.page.getByRole('link', { name: /Adaeze Obi/ }).click();
      await stage.page.getByRole('button', { name: adminTexts.moreActions, exact: true }).click();
      await stage.page.getByRole('menuitem', { name: texts.block }).click();
      await shows(stage.page, consoleTexts.blockNote);
    },
  },
];

function deletedRows(): DeletedRow[] {
  const by = ['visitor', 'staff', 'retention'] as const;
  return by.map((side, days) => ({
    conversationId: randomUUID(),
    handlerAlias: 'mara-east',
    deletedAt: Date.now() - days * 86_400_000,
    by: side,
  }));
}
