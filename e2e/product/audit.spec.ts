import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin, expectLive, withoutPoll } from './admins.ts';
import { newPerson, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';

test('the audit log shows staff actions live, by person, action and text, and as a file', async ({
  page,
  browser,
}) => {
  // All tests share the log, and a retry of this test finds the lines of its first attempt.
  const name = `Jonas ${randomUUID().slice(0, 8)}`;
  const handler = createHandler();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), name);
  await send(visitor, 'a secret word');
  await withoutPoll(page);
  await enterAdmin(page, { path: '/admin/audit' });
  await expect(page.getByRole('table')).toBeVisible();

  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.getByRole('link', { name: new RegExp(name) }).click();
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  // The new line appears without a reload.
  const closed = page.getByRole('row').filter({ hasText: name });
  await expectLive(closed).toContainText('Closed a conversation');
  await expect(closed.getByRole('link', { name })).toHaveAttribute(
    'href',
    /^\/admin\/conversations\/[0-9a-f-]{36}$/,
  );
  await expect(page.getByText('a secret word')).toHaveCount(0);

  const id = (await closed.getByRole('link').getAttribute('href'))?.split('/').at(-1) ?? '';
  await page.getByRole('searchbox').fill(id);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`q=${id}`));
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFFNumber,Time,Who,What,About,Target id,Details');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^\\d+,.+,Closed a conversation,${name},${id},$`));

  await page.getByRole('searchbox').fill('nothing is called like this');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await page.getByLabel('What').selectOption('Signed in');
  await expect(page.getByRole('row').nth(1)).toContainText('Signed in');
  await expect(page.getByRole('table').getByText('Closed a conversation')).toHaveCount(0);
  await expect(page.getByText(/^\d[\d,]* entries\. Latest hash: [0-9a-f]{12}…/)).toBeVisible();
});
