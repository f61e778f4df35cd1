import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { ageSessions, enterAdmin } from './admins.ts';
import { tabTo } from './pages.ts';
import { newPerson, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const PASSWORD = 'four words nobody guesses';

/** A unique name and address: the tests share an installation and its list. */
function somebody(name: string) {
  const mark = Math.random().toString(36).slice(2, 8);
  return { name: `${name} ${mark}`, email: `${mark}@settee.example`, alias: `desk-${mark}` };
}

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

/** All tests share the list, so show only this person. */
async function search(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search handlers' }).fill(name);
}

async function chooseTask(page: Page, name: string, task: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: task }).click();
}

test('[ADMIN-36] a handler is added, chooses a password with the link, signs in; another administrator sees it live', async ({
  browser,
}) => {
  const { page: admin } = await newPerson(browser);
  const { page: other } = await newPerson(browser);
  const person = somebody('Noor');
  await enterAdmin(admin, { path: '/admin/handlers' });
  await enterAdmin(other, { path: '/admin/handlers' });
  await search(other, person.name);
  await expect(other.getByText('No matches')).toBeVisible();

  await admin.getByRole('button', { name: 'Add a handler' }).click();
  const form = admin.getByRole('dialog', { name: 'Add a handler' });
  await form.getByRole('button', { name: 'Add and create link' }).click();
  await expect(form.getByText('Enter a name')).toBeVisible();
  await expect(form.getByText('A handler needs an alias')).toBeVisible();
  await form.getByLabel('Name').fill(person.name);
  await form.getByLabel('Email address').fill(person.email);
  await form.getByLabel('Alias').fill(person.alias);
  await form.getByRole('button', { name: 'Add and create link' }).click();
  const shown = admin.getByRole('dialog', { name: `Password link for ${person.name}` });
  const link = await shown.getByLabel('Password link').inputValue();
  await expect(row(other, person.name)).toContainText('Not signed in yet');

  const { page: theirs } = await newPerson(browser);
  await theirs.goto(link);
  await expect(theirs.getByText(`For ${person.name}`)).toBeVisible();
  await expect(theirs.getByLabel('Email address')).toHaveValue(person.email);
  await theirs.getByLabel('New password').fill('too short');
  await theirs.getByRole('button', { name: 'Save password' }).click();
  await expect(theirs.getByText('A password has at least 12 characters')).toBeVisible();
  await theirs.getByLabel('New password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Save password' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your password is saved' })).toBeVisible();
  expect(new URL(theirs.url()).hash).toBe('');
  await theirs.getByRole('button', { name: 'Go to sign-in' }).click();
  await signIn(theirs, { ...person, password: PASSWORD });
  await expect(row(other, person.name)).toContainText('Online');

  // The link works only once.
  const { page: thief } = await newPerson(browser);
  await thief.goto(link);
  await expect(thief.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();

  // A new link signs them out, and is shown once.
  await chooseTask(other, person.name, 'Reset password');
  await other.getByRole('button', { name: 'Reset and create link' }).click();
  const again = other.getByRole('dialog', { name: `Password link for ${person.name}` });
  await expect(again.getByLabel('Password link')).not.toHaveValue(link);
  await expect(theirs.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  await again.getByRole('button', { name: 'Done' }).click();
  await expect(again).toHaveCount(0);
});

test(
  '[ADMIN-40] [ADMIN-41] the last person of a desk is deactivated after its conversations moved elsewhere',
  alsoInFirefox,
  async ({ browser }) => {
    const leaver = somebody('Leaver');
    const handler = createHandler(leaver.alias, process.env, leaver);
    const heir = createHandler();
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, createInvite(handler.alias), 'Jonas Weber');
    const { page: theirs } = await newPerson(browser);
    await signIn(theirs, handler);
    const { page: heirs } = await newPerson(browser);
    await signIn(heirs, heir);
    const { page: admin } = await newPerson(browser);
    await enterAdmin(admin, { path: '/admin/handlers' });
    await search(admin, leaver.name);
    await expect(row(admin, leaver.name).getByRole('cell').nth(3)).toHaveText('1');

    await chooseTask(admin, leaver.name, 'Deactivate');
    const dialog = admin.getByRole('dialog', { name: `Deactivate ${leaver.name}?` });
    await expect(dialog.getByText(`No one else answers at ${handler.alias}.`)).toBeVisible();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByLabel('Move them to').selectOption(heir.alias);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect(admin.getByText(`${leaver.name} was deactivated.`)).toBeVisible();
    await expect(row(admin, leaver.name)).toHaveCount(0);
    // The focus is not lost: the next key applies here.
    await expect(admin.getByRole('region', { name: 'Handlers' })).toBeFocused();
    await expect(theirs.getByRole('heading', { name: 'Handler Console' })).toBeVisible({ timeout: 5_000 });
    await expect(heirs.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();

    await admin.getByRole('radio', { name: 'Deactivated' }).check();
    await chooseTask(admin, leaver.name, 'Activate');
    await expect(admin.getByText(`${leaver.name} is active again.`)).toBeVisible();
    await admin.getByRole('radio', { name: 'Active', exact: true }).check();
    await expect(row(admin, leaver.name)).toBeVisible();
  },
);

test(
  '[A11Y-14] by keyboard alone: add a handler, copy the link, change their desk',
  alsoInFirefox,
  async ({ browser }) => {
    const { page, context } = await newPerson(browser);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const person = somebody('Keys');
    await enterAdmin(page, { path: '/admin/handlers' });
    await tabTo(page, page.getByRole('button', { name: 'Add a handler' }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.type(person.name);
    await tabTo(page, page.getByLabel('Email address'));
    await page.keyboard.type(person.email);
    await tabTo(page, page.getByLabel('Alias'));
    await page.keyboard.type(person.alias);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Password link', { exact: true })).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Copy link' }));
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/\/handler\/password#[\w-]{32}$/);
    // The link is shown once, so only Done closes the dialog.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByRole('button', { name: 'Done' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await tabTo(page, page.getByRole('searchbox'));
    await page.keyboard.type(person.alias);
    await expect(page.getByRole('row')).toHaveCount(2);
    await tabTo(page, page.getByRole('button', { name: `Actions for ${person.name}` }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Alias'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(`${person.alias}-new`);
    await page.keyboard.press('Enter');
    await expect(page.getByText(`${person.name} was updated.`)).toBeVisible();
    await expect(row(page, person.name)).toContainText(`${person.alias}-new`);
    await expect(page.getByRole('button', { name: `Actions for ${person.name}` })).toBeFocused();
  },
);

test(
  '[AUTH-07] an older session must enter the password before it adds a handler, and keeps what was typed',
  alsoInFirefox,
  async ({ browser }) => {
    const { page } = await newPerson(browser);
    const { email, password } = await enterAdmin(page, { path: '/admin/handlers' });
    await ageSessions(email);
    const person = somebody('Ines');
    await page.getByRole('button', { name: 'Add a handler' }).click();
    const form = page.getByRole('dialog', { name: 'Add a handler' });
    await form.getByLabel('Name').fill(person.name);
    await form.getByLabel('Email address').fill(person.email);
    await form.getByLabel('Alias').fill(person.alias);
    const submit = form.getByRole('button', { name: 'Add and create link' });
    await submit.click();
    const again = page.getByRole('dialog', { name: 'Enter your password again' });
    await again.getByRole('button', { name: 'Cancel' }).click();
    await expect(form.getByText('Enter your password again')).toBeVisible();
    await expect(form.getByLabel('Name')).toHaveValue(person.name);

    await submit.click();
    await again.getByLabel('Password').fill(password);
    await again.getByRole('button', { name: 'Confirm' }).click();
    const shown = page.getByRole('dialog', { name: `Password link for ${person.name}` });
    await expect(shown.getByLabel('Password link')).toHaveValue(/\/handler\/password#/);
    await shown.getByRole('button', { name: 'Done' }).click();

    await ageSessions(email);
    await search(page, person.name);
    await chooseTask(page, person.name, 'Reset password');
    const link = page.getByRole('dialog', { name: `Reset password: ${person.name}` });
    await link.getByRole('button', { name: 'Reset and create link' }).click();
    await again.getByLabel('Password').fill(password);
    await again.getByRole('button', { name: 'Confirm' }).click();
    await expect(shown.getByLabel('Password link')).toHaveValue(/\/handler\/password#/);
  },
);
