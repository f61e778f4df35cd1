import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { holdLine } from './network.ts';
import { bubbles, chatOfTwo, chooseInMenu, expectTexts, newPerson, openWithCode, send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

async function downloaded(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: button }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

/** Everything that this browser stores, as one text. */
function kept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const held: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? '');
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB'));
      });
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store);
        for (const request of [reading.getAll(), reading.getAllKeys()]) {
          await new Promise((resolve) => {
            request.onsuccess = resolve;
          });
          held.push([name, store, request.result]);
        }
      }
      database.close();
    }
    return JSON.stringify(held);
  });
}

test(
  '[PRIVACY-05] [PRIVACY-06] [PRIVACY-07] [PRIVACY-03] a conversation is downloaded, and then deleted for good: on this device, on the other one, at the desk',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor: first, desk, invite, continueCode, handler } = await chatOfTwo(browser, 'Mia');
    const token = invite.slice('/i/'.length);
    await send(first, 'what I <b>said</b>');
    await expectTexts(desk, ['what I <b>said</b>']);
    await send(desk, 'Yes, until six.');
    const texts = ['what I <b>said</b>', 'Yes, until six.'];
    await expectTexts(first, texts);

    await chooseInMenu(first, 'Download conversation');
    const html = await downloaded(first, 'Readable page (HTML)');
    const json = await downloaded(first, 'Data (JSON)');
    await first.keyboard.press('Escape');
    const { page: reader } = await newPerson(browser);
    await reader.setContent(html);
    for (const text of texts) await expect(reader.getByText(text, { exact: true })).toBeVisible();
    expect(JSON.parse(json).messages).toMatchObject([
      { seq: 1, sender: 'visitor', text: texts[0] },
      { seq: 2, sender: 'owner', text: texts[1] },
    ]);
    for (const hidden of [handler.alias, handler.email]) expect(html + json).not.toContain(hidden);

    // A second device without a network has an unsent message and a draft.
    const { page: second } = await newPerson(browser);
    await openWithCode(second, invite, 'Mia', continueCode);
    await expectTexts(second, texts);
    const line = await holdLine(second);
    await second.reload();
    await expectTexts(second, texts);
    await line.cut();
    await send(second, 'never sent');
    await expect(bubbles(second)).toHaveCount(3);
    await second.getByPlaceholder('Message...').fill('half a sentence');
    await first.getByPlaceholder('Message...').fill('an unfinished draft');
    for (const words of ['half a sentence', 'never sent', token])
      await expect.poll(() => kept(second)).toContain(words);
    for (const words of ['an unfinished draft', token]) await expect.poll(() => kept(first)).toContain(words);

    // The desk looks at its closed conversations.
    await desk.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(desk.getByText('Closed the chat with Mia.')).toBeVisible();
    await desk.goto('/handler/?show=closed');
    await expect(desk.getByRole('link', { name: /Mia/ })).toBeVisible();

    // Cancel has the focus, so Enter deletes nothing.
    await chooseInMenu(first, 'Delete conversation');
    const dialog = first.getByRole('dialog', { name: 'Delete this conversation?' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await first.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await chooseInMenu(first, 'Delete conversation');
    await dialog.getByRole('button', { name: 'Delete conversation' }).click();
    await expect(first.getByRole('heading', { name: 'Conversation deleted' })).toBeVisible();
    for (const word of [token, 'an unfinished draft', 'Mia'])
      await expect.poll(() => kept(first)).not.toContain(word);

    // It disappears from the desk at once, where an entry stays, and from the other device when it reconnects.
    await expect(desk.getByText('Mia')).toHaveCount(0);
    await desk.getByText('Deleted (1)').click();
    await expect(desk.getByText('Deleted by the visitor')).toBeVisible();
    await line.mend();
    await expect(second.getByText('This invite link has been revoked')).toBeVisible();
    await expect(bubbles(second)).toHaveCount(0);
    for (const word of [token, 'half a sentence', 'never sent'])
      await expect.poll(() => kept(second)).not.toContain(word);
  },
);
