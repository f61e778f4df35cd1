import type { Page } from '@playwright/test';
import { createHandler } from './accounts.ts';
import { fromPalette, PALETTE, palette } from './byKeyboard.ts';
import { makeConversations } from './database.ts';
import { newPerson, signIn } from './people.ts';
import { expect, test } from './watched.ts';

const options = (desk: Page) => desk.getByRole('option');
const group = (desk: Page, name: string) => desk.getByRole('group', { name }).getByRole('option');

test('[CONSOLE-44] the palette opens at once: text typed meanwhile goes into it and does nothing else', async ({
  browser,
}) => {
  const handler = createHandler();
  const [id = ''] = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'Hello', minutesAgo: 1 },
    { name: 'Elena', text: 'Hello', minutesAgo: 2 },
  ]);
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.goto(`/handler/conversation/${id}`);
  await expect(desk.getByRole('log')).toBeVisible();
  await desk.getByRole('log').focus();

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await desk.route(/Palette.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await desk.keyboard.press(PALETTE);
  await desk.keyboard.type('ele');
  release();
  await expect(palette(desk)).toHaveValue('ele');
  await desk.keyboard.type('na');
  await expect(palette(desk)).toHaveValue('elena');
  await expect(group(desk, 'Chats')).toHaveText([/Elena/]);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { name: 'Elena' })).toBeVisible();
  await expect(desk.getByPlaceholder('Type your message...')).toBeFocused();

  // Every available action is listed with its key. Picking it does what the key does.
  await desk.keyboard.press(PALETTE);
  const actions = group(desk, 'Actions');
  for (const [name, key] of [
    ['Next chat', 'Alt↓'],
    ['Previous chat', 'Alt↑'],
    ['Write a note', 'CtrlI'],
    ['Close chat', 'CtrlE'],
    ['Keyboard shortcuts', 'Ctrl/'],
  ]) {
    await expect(actions.filter({ hasText: `${name}${key}` })).toHaveCount(1);
  }
  for (const name of ['Block visitor', 'Hand over', 'Saved replies', 'Sign Out']) {
    await expect(actions.filter({ hasText: name })).toHaveCount(1);
  }
  await expect(palette(desk)).toHaveAttribute('aria-activedescendant', /.+/);
  await desk.keyboard.press('ArrowUp');
  await expect(options(desk).last()).toHaveAttribute('aria-selected', 'true');
  await desk.keyboard.press('ArrowDown');
  await expect(options(desk).first()).toHaveAttribute('aria-selected', 'true');
  await desk.keyboard.type('repl');
  await expect(options(desk).first()).toContainText('Reply');
  await desk.keyboard.press('Enter');
  await expect(desk.getByPlaceholder('Type your message...')).toBeFocused();
  await expect(desk.getByPlaceholder('Type your message...')).toHaveValue('');
});

test('[CONSOLE-45] chats and messages are found, marked and opened in place; late and failed answers differ', async ({
  browser,
}) => {
  const handler = createHandler();
  await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'Does the Lighthouse keeper know?', minutesAgo: 1 },
    { name: 'Léa Moreau', text: 'Straße und Leuchtturm', minutesAgo: 5 },
    { name: 'Tomás Herrera', text: 'Thank you for the lighthouse', minutesAgo: 90, status: 'closed' },
  ]);
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await expect(desk.getByRole('link', { name: /Jonas/ })).toBeVisible();

  // Names from the queue appear at once; names of closed chats come from the server.
  await desk.keyboard.press(PALETTE);
  await desk.keyboard.type('LEA mor');
  await expect(group(desk, 'Chats')).toContainText(['Léa Moreau']);
  await palette(desk).fill('tomas');
  await expect(group(desk, 'Chats')).toContainText(['Tomás Herrera']);
  await expect(group(desk, 'Chats').first()).toContainText('Closed');

  await palette(desk).fill('lighth');
  await expect(group(desk, 'Messages')).toHaveCount(2);
  await expect(group(desk, 'Messages').locator('mark')).toHaveText(['Lighth', 'lighth']);
  await palette(desk).fill('strasse');
  await expect(group(desk, 'Messages').locator('mark')).toHaveText(['Straße']);
  await expect(group(desk, 'Messages')).toContainText('Léa Moreau');
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(/\/conversation\/[0-9a-f-]{36}\?message=1$/);
  await expect(desk.locator('[data-seq="1"]')).toBeFocused();

  await desk.keyboard.press(PALETTE);
  await palette(desk).fill('zebra');
  await expect(desk.getByText('No matches')).toBeVisible();

  // The first response arrives after the second, so it is discarded.
  let letFirst = () => {};
  const first = new Promise<void>((resolve) => {
    letFirst = resolve;
  });
  let asked = 0;
  await desk.route('**/search?*', async (route) => {
    asked += 1;
    if (asked === 1) await first;
    await route.continue();
  });
  await palette(desk).fill('lighthouse');
  await expect(desk.getByText('Searching...')).toBeVisible();
  await expect.poll(() => asked).toBe(1);
  await palette(desk).fill('leuchtturm');
  await expect(group(desk, 'Messages').locator('mark')).toHaveText(['Leuchtturm']);
  const late = desk.waitForResponse(/q=lighthouse/);
  letFirst();
  await late;
  await expect(group(desk, 'Messages').locator('mark')).toHaveText(['Leuchtturm']);

  await desk.unroute('**/search?*');
  await desk.route('**/search?*', (route) => route.abort());
  await palette(desk).fill('paragraph');
  await expect(desk.getByText("Couldn't search.")).toBeVisible();
});

test('[CONSOLE-45] nothing of another desk is ever found: no name, no text', async ({ browser }) => {
  const [mine, theirs] = [createHandler(), createHandler()];
  await makeConversations(mine.alias, [{ name: 'Quincy Ours', text: 'quokka ours', minutesAgo: 2 }]);
  await makeConversations(theirs.alias, [
    { name: 'Quincy Theirs', text: 'quokka theirs', minutesAgo: 1 },
    { name: 'Quentin', text: 'quokka closed', minutesAgo: 1, status: 'closed' },
  ]);
  const { page: desk } = await newPerson(browser);
  const answers: string[] = [];
  async function look(typed: string): Promise<void> {
    const answered = desk.waitForResponse((response) => response.url().endsWith(`/search?q=${typed}`));
    await palette(desk).fill(typed);
    answers.push(await (await answered).text());
  }
  await signIn(desk, mine);
  await expect(desk.getByRole('link', { name: /Quincy Ours/ })).toBeVisible();
  await desk.keyboard.press(PALETTE);
  await look('quokka');
  await expect(group(desk, 'Messages')).toHaveCount(1);
  await look('quincy');
  await expect(group(desk, 'Chats')).toHaveText([/Quincy Ours/]);
  for (const typed of ['quentin', 'theirs']) {
    await look(typed);
    await expect(desk.getByText('No matches')).toBeVisible();
    await expect(options(desk)).toHaveCount(0);
  }
  expect(answers.join()).not.toMatch(/Theirs|theirs|Quentin|closed/);
  await palette(desk).fill('');
  await fromPalette(desk, 'quin', /Quincy Ours/);
});
