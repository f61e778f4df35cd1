import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin, withoutPoll } from './admins.ts';
import { conversationOf, inDatabase, makeConversations, makeThread, writeNotes } from './database.ts';
import { images, photograph, pick } from './images.ts';
import { bubbles, chatOfTwo, newPerson, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Conversations' }).locator('tbody').getByRole('row');
const paneOf = (page: Page): Locator => page.getByRole('region', { name: 'the conversation' });
const searchBox = (page: Page): Locator => page.getByRole('searchbox');
const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** Less frequent actions are in the conversation's menu. */
async function fromMenu(page: Page, item: string): Promise<void> {
  await button(paneOf(page), 'More').click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** The audit entries of a conversation, without the actor. */
async function audit(id: string): Promise<{ action: string; details: object }[]> {
  const { rows: found } = await inDatabase<{ action: string; details: object }>(
    'select action, details from audit where target = $1 order by id',
    [id],
  );
  return found;
}

test('[CONSOLE-28] the list shows every desk’s conversations, live; many are reassigned and closed', async ({
  page,
  browser,
}) => {
  const east = createHandler();
  const west = createHandler();
  await makeConversations(east.alias, [
    { name: 'Adaeze Obi', text: 'Is the Berlin date still on?', minutesAgo: 6, waitingMinutes: 6 },
    { name: '', text: '[Media]', minutesAgo: 18, waitingMinutes: 18 },
    { name: 'Tomás Herrera', text: 'See you there!', minutesAgo: 125, from: 'owner' },
    { name: 'Ewa Nowak', text: 'Until next time!', minutesAgo: 200, status: 'closed' },
    { name: 'Spam Bot', text: 'Cheap!', minutesAgo: 300, status: 'blocked' },
  ]);
  await withoutPoll(page);
  await enterAdmin(page, { path: `/admin/conversations?alias=${east.alias}` });
  await expect(rows(page)).toHaveText([/Adaeze Obi/, /V-[0-9A-F]{8}/, /Tomás/, /Ewa/, /Spam Bot/]);
  await page.getByRole('radio', { name: /^Waiting/ }).check();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('radio', { name: /^All/ }).check();
  await searchBox(page).fill('herr');
  await expect(rows(page)).toHaveText([/Tomás Herrera/]);
  await searchBox(page).fill('');
  await expect(rows(page)).toHaveCount(5);

  // A new visitor writes at that desk.
  const { page: visitor } = await newPerson(browser);
  const invite = createInvite(east.alias);
  await startChat(visitor, invite, 'Kenji Nakamura');
  await send(visitor, 'One more question');
  await expect(rows(page).first()).toContainText(/Kenji Nakamura.*One more question/);

  for (const name of ['Adaeze Obi', 'Ewa Nowak'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await button(page, 'Reassign').click();
  const dialog = page.getByRole('dialog', { name: 'Reassign 2 conversations' });
  await dialog.getByLabel('Reassign to').selectOption(west.alias);
  await dialog.getByLabel('Note for whoever takes over (optional)').fill('Please take these.');
  await button(dialog, 'Reassign').click();
  await expect(page.getByText(`Reassigned 2 to ${west.alias}.`)).toBeVisible();
  await expect(rows(page)).toHaveCount(4);

  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await button(page, 'Close').click();
  await button(page.getByRole('dialog', { name: 'Close 4 conversations?' }), 'Close').click();
  await expect(page.getByText('Closed 3. Not open: 1.')).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Open' })).toHaveCount(0);
  const closed = visitor.getByText('This conversation was closed. Sending a message reopens it.');
  await expect(closed).toBeVisible();

  // The log shows what was done, also as a file.
  const id = await conversationOf(invite);
  await page.goto(`/admin/audit?q=${id}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').last()).toContainText('Closed a conversation');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain(
    `Closed a conversation,Kenji Nakamura,${id}`,
  );
});

test('[ADMIN-48] [ADMIN-24] [PRIVACY-10] an administrator reads a conversation live without a trace, blocks it with a reason, and erases it', async ({
  page,
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Jonas Weber');
  await pick(visitor, await photograph('lyon.jpg'));
  await button(visitor, 'Send').click();
  await expect(images(desk)).toHaveCount(1);
  // The handler no longer has the conversation on screen.
  await desk.goto('/handler');
  await send(visitor, 'Are you there?');
  const id = await conversationOf(invite);
  await writeNotes(id, [{ afterSeq: 1, text: 'A friend of the house.', at: new Date() }]);

  await enterAdmin(page, { path: '/admin/conversations' });
  await searchBox(page).fill(id);
  // Other conversations also have a Jonas.
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('link', { name: /Jonas Weber/ }).click();
  const pane = paneOf(page);
  await expect(pane.getByText('You’re viewing as administrator')).toBeVisible();
  await expect(bubbles(page).last()).toContainText('Are you there?');
  await expect(pane.getByRole('note')).toContainText('A friend of the house.');
  await expect(images(page)).toHaveCount(1);
  await expect(pane.getByRole('textbox')).toHaveCount(0);
  await send(visitor, 'Still here');
  await expect(bubbles(page).last()).toContainText('Still here');
  await expect(visitor.getByText('Sent', { exact: true })).toBeVisible();
  await expect(visitor.getByText(/^Seen/)).toHaveCount(0);
  await desk.getByRole('link', { name: /Jonas Weber/ }).click();
  await expect(bubbles(desk).last()).toContainText('Still here');
  await expect(desk.getByText('is viewing this chat')).toHaveCount(0);

  await fromMenu(page, 'Block');
  const block = page.getByRole('dialog', { name: 'Block Jonas Weber?' });
  await button(block, 'Block').click();
  // A reason is required.
  await expect(block).toBeVisible();
  await block.getByLabel('Reason').fill('Insults, twice');
  await block.getByRole('radio', { name: '7 days' }).check();
  await button(block, 'Block').click();
  await expect(pane.getByText('Insults, twice')).toBeVisible();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
  await expect(visitor.getByText('Insults')).toHaveCount(0);
  await button(pane, 'Unblock').click();
  const unblock = page.getByRole('dialog', { name: 'Unblock Jonas Weber?' });
  await unblock.getByLabel('Reason').fill('He apologised');
  await button(unblock, 'Unblock').click();
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
  expect(await audit(id)).toMatchObject([
    { action: 'conversation.view' },
    { action: 'conversation.block', details: { reason: true } },
    { action: 'conversation.open', details: { reason: true } },
  ]);

  await fromMenu(page, 'Erase');
  const erase = page.getByRole('dialog', { name: 'Erase this conversation?' });
  await erase.getByLabel('Reason').selectOption('The visitor asked for it');
  await button(erase, 'Erase').click();
  await expect(page.getByText('Conversation erased')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await expect(visitor.getByText('This invite link has been revoked')).toBeVisible();
  await expect(desk.getByText('Still here')).toHaveCount(0);
});

test('[ADMIN-26] [PAGE-04] a conversation is downloaded in three formats; hostile names and texts stay text', async ({
  page,
  browser,
}) => {
  const handler = createHandler();
  const hostile = `<img src=x onerror="pwned=1">`;
  const words = [
    '</p></article><script>pwned=2</script>',
    '<svg onload=pwned=3><style>*{display:none}</style>',
    '=HYPERLINK("https://evil.example","x")',
    `<a href="javascript:pwned=4">&lt;b&gt;</a> & "quotes" 'too'`,
    '<meta http-equiv=refresh content="0;url=https://evil.example"><iframe srcdoc="<script>top.pwned=5</script>">',
    '<base href=https://evil.example><link rel=stylesheet href=//evil.example/x.css>',
  ];
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 13, 8, minute));
  const id = await makeThread(
    handler.alias,
    hostile,
    words.map((text, n) => ({ from: n % 2 === 0 ? 'visitor' : 'owner', text, at: at(n) }) as const),
  );
  await enterAdmin(page, { path: `/admin/conversations/${id}` });
  await expect(bubbles(page)).toHaveCount(words.length);

  async function download(item: string): Promise<string> {
    const coming = page.waitForEvent('download');
    await fromMenu(page, item);
    return await readFile(await (await coming).path(), 'utf8');
  }
  const html = await download('Readable page (HTML)');
  expect(await download('Table (CSV)')).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
  const json = JSON.parse(await download('Data (JSON)'));
  expect(json.messages.map(({ text }: { text: string }) => text)).toEqual(words);
  expect((await audit(id)).filter(({ action }) => action === 'conversation.export')).toHaveLength(3);

  // The watcher fails the test on any external request and on any violation of a policy, its own or the strictest.
  const own = /content="(default-src 'none'[^"]*)"/.exec(html)?.[1] ?? '';
  expect(own).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  const { page: reader } = await newPerson(browser);
  let headers = {};
  await reader.route('**/transcript', (route) =>
    route.fulfill({ body: html, contentType: 'text/html; charset=utf-8', headers }),
  );
  for (const policy of [undefined, own]) {
    if (policy) headers = { 'content-security-policy': policy };
    await reader.goto('/transcript');
    await expect(reader.locator('.text')).toHaveText(words);
    await expect(reader.getByRole('heading', { level: 1 })).toContainText(hostile);
    const found = await reader.evaluate(() => ({
      pwned: (globalThis as { pwned?: number }).pwned,
      active: document.querySelectorAll('script, img, svg, iframe, link, base, a, form, object, [style]')
        .length,
      styled: getComputedStyle(document.body).maxWidth,
    }));
    expect(found).toEqual({ pwned: undefined, active: 0, styled: '720px' });
  }
});
