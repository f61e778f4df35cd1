import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin, expectLive, withoutPoll } from './admins.ts';
import { conversationOf, inDatabase, makeConversations, makeThread, writeNotes } from './database.ts';
import { images, photograph, pick } from './images.ts';
import { tabTo } from './pages.ts';
import { bubbles, chatOfTwo, send, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Conversations' }).locator('tbody').getByRole('row');
/** Filters the list. */
const show = (page: Page, name: RegExp): Promise<void> => page.getByRole('radio', { name }).check();
const searchBox = (page: Page): Locator => page.getByRole('searchbox');
const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** Less frequent actions are in the conversation's menu. */
async function fromMenu(page: Page, pane: Locator, item: string): Promise<void> {
  await button(pane, 'More').click();
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

test('[CONSOLE-28] the list shows every desk’s conversations, live; many are reassigned and closed by keyboard alone', async ({
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
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(0)).toContainText(/Adaeze Obi.*Is the Berlin date.*Open.*Waiting 6m/);
  await expect(rows(page).nth(1)).toContainText(/V-[0-9A-F]{8}.*\[Media\].*Waiting 18m/);
  await expect(rows(page).nth(3)).toContainText(/Ewa Nowak.*Closed/);
  await expect(rows(page).nth(4)).toContainText(/Spam Bot.*Blocked/);

  await expect(page.getByRole('radio', { name: /^Waiting/ })).toHaveAccessibleName('Waiting 2');
  await show(page, /^Waiting/);
  await expect(rows(page)).toHaveCount(2);
  await show(page, /^Blocked/);
  await expect(rows(page)).toHaveText([/Spam Bot/]);
  await expect(page).toHaveURL(/show=blocked/);
  await show(page, /^All/);
  // One letter at a time, faster than the address is updated.
  await searchBox(page).pressSequentially('herr', { delay: 20 });
  await expect(searchBox(page)).toHaveValue('herr');
  await expect(rows(page)).toHaveText([/Tomás Herrera/]);
  await searchBox(page).fill('nobody at all');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await searchBox(page).fill('');
  await expect(rows(page)).toHaveCount(5);

  // Live update: a new visitor writes at that desk.
  const visitor = await (await browser.newContext()).newPage();
  const invite = createInvite(east.alias);
  await startChat(visitor, invite, 'Kenji Nakamura');
  await send(visitor, 'One more question');
  await expectLive(rows(page).first()).toContainText(/Kenji Nakamura.*One more question/);

  // Only with the keyboard.
  await tabTo(page, page.getByRole('checkbox', { name: 'Select Adaeze Obi' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('checkbox', { name: 'Select Ewa Nowak' }));
  await page.keyboard.press('Space');
  await expect(page.getByText('2 selected')).toBeVisible();
  await tabTo(page, button(page, 'Reassign'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reassign 2 conversations' });
  const desk = dialog.getByLabel('Reassign to');
  await expect(
    desk.getByRole('option', { name: new RegExp(`^${west.alias}: .*\\(offline\\)`) }),
  ).toBeAttached();
  await tabTo(page, desk);
  await desk.selectOption(west.alias);
  await tabTo(page, dialog.getByLabel('Note for the next handler (optional)'));
  await page.keyboard.type('Please take these.');
  await tabTo(page, button(dialog, 'Reassign'));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Reassigned 2 to ${west.alias}.`)).toBeVisible();
  await expect(page.getByText('2 selected')).toHaveCount(0);
  await expectLive(rows(page)).toHaveCount(4);

  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await button(page, 'Close').click();
  await button(page.getByRole('dialog', { name: 'Close 4 conversations?' }), 'Close').click();
  await expect(page.getByText('Closed 3. Not open: 1.')).toBeVisible();
  await expectLive(rows(page).filter({ hasText: 'Open' })).toHaveCount(0);
  await expect(
    visitor.getByText('This conversation was closed. Sending a message reopens it.'),
  ).toBeVisible();
  expect(await audit(await conversationOf(invite))).toMatchObject([{ action: 'conversation.close' }]);
});

test('[ADMIN-48] an administrator reads a conversation live, with notes and images, and leaves no trace in it', async ({
  page,
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Jonas Weber');
  await pick(visitor, await photograph('lyon.jpg'));
  await button(visitor, 'Send').click();
  // A job re-encodes it, which takes time on a busy machine.
  await expect(images(desk)).toHaveCount(1, { timeout: 60_000 });
  // The handler no longer has the conversation on screen.
  await desk.goto('/handler');
  await expect(desk.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
  await send(visitor, 'Are you there?');
  const id = await conversationOf(invite);
  await writeNotes(id, [{ afterSeq: 1, text: 'A friend of the house.', at: new Date() }]);
  await expect(visitor.getByText('Sent', { exact: true })).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await enterAdmin(page, { path: '/admin/conversations' });
  await searchBox(page).fill(id);
  // Other conversations also have a Jonas.
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('link', { name: /Jonas Weber/ }).click();
  await expect(page).toHaveURL(new RegExp(id));
  const pane = page.getByRole('region', { name: 'the conversation' });
  await expect(pane.getByText("You're viewing as administrator")).toBeVisible();
  await expect(pane.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  await expect(bubbles(page).last()).toContainText('Are you there?');
  await expect(pane.getByRole('note')).toContainText('A friend of the house.');
  await expect(images(page)).toHaveCount(1);
  await expect
    .poll(() =>
      images(page)
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  await expect(pane.getByRole('textbox')).toHaveCount(0);
  // The conversation opens beside the list.
  await expect(rows(page)).toHaveCount(1);

  await send(visitor, 'Still here');
  await expect(bubbles(page).last()).toContainText('Still here');
  await expect(visitor.getByText('Sent', { exact: true })).toBeVisible();
  await expect(visitor.getByText(/^Seen/)).toHaveCount(0);
  await desk.getByRole('link', { name: /Jonas Weber/ }).click();
  await expect(bubbles(desk).last()).toContainText('Still here');
  await expect(desk.getByText('is viewing this chat')).toHaveCount(0);
  expect((await audit(id)).map(({ action }) => action)).toEqual(['conversation.view']);

  // A separate page where there is no room beside the list. A deleted conversation shows a message.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(rows(page)).toHaveCount(0);
  await expect(bubbles(page).last()).toContainText('Still here');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.getByRole('link', { name: 'All conversations' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: /Jonas Weber/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(pane.getByRole('heading', { name: 'Jonas Weber' })).toBeFocused();
  await page.goto('/admin/conversations/00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Conversation not found')).toBeVisible();
});

test('[ADMIN-24] close, reopen, block with reason and end, unblock with reason; the visitor sees a closed chat', async ({
  page,
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Cleo');
  await send(visitor, 'Hello');
  const id = await conversationOf(invite);
  await page.clock.install();
  await enterAdmin(page, { path: `/admin/conversations/${id}` });
  const pane = page.getByRole('region', { name: 'the conversation' });
  await button(pane, 'Close').click();
  await expect(page.getByText('Closed the conversation with Cleo.')).toBeVisible();
  await expect(button(pane, 'Reopen')).toBeFocused();
  await button(pane, 'Reopen').click();
  await expect(button(pane, 'Close')).toBeVisible();

  await fromMenu(page, pane, 'Block');
  const dialog = page.getByRole('dialog', { name: 'Block Cleo?' });
  await button(dialog, 'Block').click();
  // A reason is required.
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Reason').fill('Insults, twice');
  await dialog.getByRole('radio', { name: '7 days' }).check();
  await button(dialog, 'Block').click();
  await expect(dialog).toHaveCount(0);
  await expect(pane.locator('[data-pill]', { hasText: 'Blocked' })).toBeVisible();
  await expectLive(pane.getByText('Insults, twice')).toBeVisible();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
  await expect(visitor.getByText('Insults')).toHaveCount(0);

  await button(pane, 'Unblock').click();
  const question = page.getByRole('dialog', { name: 'Unblock Cleo?' });
  await question.getByLabel('Reason').fill('She apologised');
  await button(question, 'Unblock').click();
  await expect(button(pane, 'Close')).toBeVisible();
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
  expect(await audit(id)).toMatchObject([
    { action: 'conversation.view' },
    { action: 'conversation.close' },
    { action: 'conversation.open' },
    { action: 'conversation.block', details: { reason: true } },
    { action: 'conversation.open', details: { reason: true } },
  ]);

  // A handler may also give a reason. The block ends on time, even if no job has run.
  await desk.getByRole('link', { name: /Cleo/ }).click();
  await button(desk, 'Block').click();
  const asked = desk.getByRole('dialog', { name: 'Block Cleo?' });
  await asked.getByLabel('Reason (optional)').fill('Again');
  await asked.getByRole('radio', { name: '1 hour' }).check();
  await button(asked, 'Block').click();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
  // The page polls it twice a minute. A request on its way may have missed the change.
  await expect(async () => {
    await page.clock.fastForward(31_000);
    await expect(pane.getByText('Again')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await inDatabase(`update blocks set until = now() - interval '1 second' where conversation_id = $1`, [id]);
  // The job that runs every minute.
  await inDatabase(`select graphile_worker.add_job('endBlocks')`, []);
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
  expect((await audit(id)).at(-1)).toMatchObject({ action: 'conversation.open' });
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
    await fromMenu(page, page.getByRole('region', { name: 'the conversation' }), item);
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^conversation-${id.slice(0, 8)}-\\d{4}-\\d\\d-\\d\\d\\.(html|csv|json)$`),
    );
    return await readFile(await file.path(), 'utf8');
  }

  const html = await download('Readable page (HTML)');
  const csv = await download('Table (CSV)');
  const json = JSON.parse(await download('Data (JSON)'));
  await expect(page.getByText(`Downloaded ${words.length} messages.`)).toBeVisible();
  expect(json.messages.map(({ text }: { text: string }) => text)).toEqual(words);
  expect(json).toMatchObject({ visitorName: hostile, handlerAlias: handler.alias, status: 'open' });
  expect(json.messages[1].writtenBy).toEqual(expect.any(String));
  expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
  expect((await audit(id)).filter(({ action }) => action === 'conversation.export')).toHaveLength(3);

  // The watcher fails the test on any external request and on any violation of a policy, its own or the strictest.
  const own = /content="(default-src 'none'[^"]*)"/.exec(html)?.[1] ?? '';
  expect(own).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  const reader = await (await browser.newContext()).newPage();
  let headers = {};
  await reader.route('**/transcript', (route) =>
    route.fulfill({ body: html, contentType: 'text/html; charset=utf-8', headers }),
  );
  for (const policy of [undefined, own]) {
    if (policy) headers = { 'content-security-policy': policy };
    await reader.goto('/transcript');
    await expect(reader.getByRole('article')).toHaveCount(words.length);
    await expect(reader.locator('.text')).toHaveText(words);
    await expect(reader.getByRole('heading', { level: 1 })).toContainText(hostile);
    await expect(reader.getByRole('heading', { level: 2 })).toHaveText(/^Friday,? 13 November 2026$/);
    const found = await reader.evaluate(() => ({
      pwned: (globalThis as { pwned?: number }).pwned,
      active: document.querySelectorAll('script, img, svg, iframe, link, base, a, form, object, [style]')
        .length,
      styled: getComputedStyle(document.body).maxWidth,
    }));
    expect(found).toEqual({ pwned: undefined, active: 0, styled: '720px' });
  }
});

test(
  'the open conversation keeps its row in view and marked, and sets the page title',
  alsoInFirefox,
  async ({ page }) => {
    const { alias } = createHandler();
    await makeConversations(
      alias,
      Array.from({ length: 30 }, (_, n) => ({ name: `Reader ${n + 1}`, text: 'Hello', minutesAgo: n + 1 })),
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await enterAdmin(page, { path: `/admin/conversations?alias=${alias}` });
    await expect(page).toHaveTitle(/^Conversations · /);
    const row = rows(page).filter({ hasText: 'Reader 25' });
    await row.getByRole('link').click();
    await expect(page.getByRole('heading', { name: 'Reader 25' })).toBeVisible();
    await expect(page).toHaveTitle(/^Reader 25 · Conversations · /);
    await expect(row.getByRole('link')).toHaveAttribute('aria-current', 'page');
    await expect(row).toBeInViewport({ ratio: 1 });
    // The page itself does not scroll; list and conversation scroll separately.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
    // When it is opened by address, the list also scrolls to the row.
    await page.reload();
    await expect(row).toBeInViewport({ ratio: 1 });
    await page.getByRole('link', { name: 'All conversations' }).click();
    await expect(page).toHaveTitle(/^Conversations · /);
  },
);
