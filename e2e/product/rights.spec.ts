import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enterAdmin, expectLive } from './admins.ts';
import { holdLine } from './network.ts';
import { bubbles, chatOfTwo, expectTexts, newPerson, openWithCode, send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: button }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
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
  '[PRIVACY-05] a conversation is downloaded as a page and as data, both sides and nothing about the desk',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor, desk, handler } = await chatOfTwo(browser, 'Jonas <b>');
    await send(visitor, 'Is it <script>open</script> today?');
    await expectTexts(desk, ['Is it <script>open</script> today?']);
    await send(desk, 'Yes, until six.');
    await expectTexts(visitor, ['Is it <script>open</script> today?', 'Yes, until six.']);

    await choose(visitor, 'Download conversation');
    const dialog = visitor.getByRole('dialog', { name: 'Download conversation' });
    // A failed download shows an error and can be retried.
    await visitor.route('**/export?*', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Readable page (HTML)' }).click();
    await expect(dialog.getByText("Couldn't prepare the download.")).toBeVisible();
    await visitor.unroute('**/export?*');

    const html = await downloaded(visitor, 'Readable page (HTML)');
    expect(html.name).toMatch(/^conversation-[0-9a-f]{8}-\d{4}-\d\d-\d\d\.html$/);
    const { page: reader } = await newPerson(browser);
    await reader.setContent(html.text);
    await expect(reader.getByText('Is it <script>open</script> today?')).toBeVisible();
    await expect(reader.getByText('Yes, until six.')).toBeVisible();
    await expect(reader.getByRole('heading', { level: 1 })).toContainText('Jonas <b>');
    const json = await downloaded(visitor, 'Data (JSON)');
    expect(JSON.parse(json.text).messages).toMatchObject([
      { seq: 1, sender: 'visitor', text: 'Is it <script>open</script> today?' },
      { seq: 2, sender: 'owner', text: 'Yes, until six.' },
    ]);
    for (const { text } of [html, json]) {
      expect(text).not.toContain(handler.alias);
      expect(text).not.toContain(handler.email);
    }
    await visitor.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  },
);

test(
  '[PRIVACY-06] [PRIVACY-07] [PRIVACY-03] a conversation is deleted for good: on this device, on the other one, at the desk',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor: first, desk, invite, continueCode } = await chatOfTwo(browser, 'Mia');
    const token = invite.slice(invite.lastIndexOf('/') + 1);
    await send(first, 'what I said');
    const { page: second } = await newPerson(browser);
    await openWithCode(second, invite, 'Mia', continueCode);
    await expectTexts(second, ['what I said']);

    // An unsent message and a draft, on the second device.
    const line = await holdLine(second);
    await second.reload();
    await expectTexts(second, ['what I said']);
    await line.cut();
    await send(second, 'never sent');
    await expect(bubbles(second)).toHaveCount(2);
    await second.getByPlaceholder('Message...').fill('half a sentence');
    await first.getByPlaceholder('Message...').fill('an unfinished draft');
    for (const [page, words] of [
      [first, 'an unfinished draft'],
      [second, 'half a sentence'],
      [second, 'never sent'],
    ] as const) {
      await expect.poll(() => kept(page)).toContain(words);
      expect(await kept(page)).toContain(token);
    }

    // The desk looks at its closed conversations.
    await desk.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(desk.getByText('Closed the chat with Mia.')).toBeVisible();
    await desk.goto('/handler/?show=closed');
    await expect(desk.getByRole('link', { name: /Mia/ })).toBeVisible();

    await choose(first, 'Delete conversation');
    const dialog = first.getByRole('dialog', { name: 'Delete this conversation?' });
    await expect(dialog.getByText('This can’t be undone.')).toBeVisible();
    // Cancel has the focus, so Enter deletes nothing.
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await first.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expectTexts(first, ['what I said']);

    await choose(first, 'Delete conversation');
    await first.route('**/conversations/*', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Delete conversation' }).click();
    await expect(dialog.getByText("Couldn't delete the conversation.")).toBeVisible();
    await first.unroute('**/conversations/*');
    await dialog.getByRole('button', { name: 'Delete conversation' }).click();
    await expect(first.getByRole('heading', { name: 'Conversation deleted' })).toBeVisible();
    await expect(first.getByText('what I said')).toHaveCount(0);

    // Nothing of the conversation is left in this browser.
    for (const word of [token, 'an unfinished draft', 'what I said', 'Mia'])
      await expect.poll(() => kept(first)).not.toContain(word);
    await first.reload();
    await expect(first.getByText('This invite link has been revoked')).toBeVisible();

    // It disappears from the desk at once, where an entry stays, and from the other device when it reconnects.
    await expect(desk.getByText('Mia')).toHaveCount(0);
    await desk.getByText('Deleted (1)').click();
    await expect(desk.getByText('Deleted by the visitor')).toBeVisible();
    await expect(desk.getByText('what I said')).toHaveCount(0);
    await line.mend();
    await expect(second.getByText('This invite link has been revoked')).toBeVisible();
    await expect(second.getByText('what I said')).toHaveCount(0);
    for (const word of [token, 'half a sentence', 'never sent'])
      await expect.poll(() => kept(second)).not.toContain(word);
  },
);

test(
  '[PRIVACY-10] an administrator erases a conversation: the visitor’s page and the list update at once',
  alsoInFirefox,
  async ({ browser }) => {
    const name = `Ottilie ${randomUUID().slice(0, 8)}`;
    const { visitor, desk } = await chatOfTwo(browser, name);
    await send(visitor, 'please forget me');
    await expect(bubbles(desk)).toHaveCount(1);
    const id = desk.url().slice(desk.url().lastIndexOf('/') + 1);
    const { page } = await newPerson(browser);
    await enterAdmin(page, { path: `/admin/conversations/${id}?status=open` });
    await page
      .getByRole('region', { name: 'the conversation' })
      .getByRole('button', { name: 'More' })
      .click();
    await page.getByRole('menuitem', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this conversation?' });
    await expect(dialog.getByText('This can’t be undone.')).toBeVisible();
    await dialog.getByLabel('Reason').selectOption('The visitor asked for it');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await expect(page.getByText('Conversation erased')).toBeVisible();
    await expectLive(page.getByText(name)).toHaveCount(0);
    // Back on the list with the same filter. The focus is on its heading.
    await expect(page).toHaveURL(/\/admin\/conversations\?status=open$/);
    await expect(page.getByRole('heading', { name: 'Conversations', level: 1 })).toBeFocused();
    await expect(visitor.getByText('This invite link has been revoked')).toBeVisible();
    await expect(desk.getByText('please forget me')).toHaveCount(0);
  },
);
