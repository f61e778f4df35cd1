import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { ageSessions, enterAdmin } from './admins.ts';
import { tabTo } from './pages.ts';
import { choosePassword, newPerson, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

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
  await page.getByRole('searchbox', { name: 'Search people' }).fill(name);
}

async function chooseTask(page: Page, name: string, task: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: task }).click();
}

test(
  '[A11Y-14] [AUTH-07] [ADMIN-36] by keyboard alone, after the password, a handler is added, chooses a password and signs in; another administrator sees it live',
  alsoInFirefox,
  async ({ browser }) => {
    const { page, context } = await newPerson(browser);
    const { page: other } = await newPerson(browser);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const person = somebody('Noor');
    const { email, password } = await enterAdmin(page, { path: '/admin/handlers' });
    await enterAdmin(other, { path: '/admin/handlers' });
    await search(other, person.name);
    await expect(other.getByText('No matches')).toBeVisible();

    // The administrator entered the password a while ago. The form keeps what was typed.
    await ageSessions(email);
    await tabTo(page, page.getByRole('button', { name: 'Add a person' }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.type(person.name);
    await tabTo(page, page.getByLabel('E-mail address'));
    await page.keyboard.type(person.email);
    await tabTo(page, page.getByLabel('Desk'));
    await page.keyboard.type(person.alias);
    await page.keyboard.press('Enter');
    const again = page.getByRole('dialog', { name: 'Enter your password again' });
    await tabTo(page, again.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Add a person' });
    await expect(form.getByLabel('Name')).toHaveValue(person.name);
    await tabTo(page, form.getByRole('button', { name: 'Add and create link' }));
    await page.keyboard.press('Enter');
    await tabTo(page, again.getByLabel('Password'));
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Password link', { exact: true })).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Copy link' }));
    await page.keyboard.press('Enter');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/\/handler\/password#[\w-]{32}$/);
    // The link is shown once, so only Done closes the dialog.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByRole('button', { name: 'Done' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await tabTo(page, page.getByRole('searchbox'));
    await page.keyboard.type(person.alias);
    await tabTo(page, page.getByRole('button', { name: `Actions for ${person.name}` }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `Actions for ${person.name}` })).toBeFocused();

    await expect(row(other, person.name)).toContainText('Not signed in yet');
    const { page: theirs } = await newPerson(browser);
    const chosen = await choosePassword(theirs, await copied());
    expect(new URL(theirs.url()).hash).toBe('');
    await signIn(theirs, { ...person, password: chosen });
    await expect(row(other, person.name)).toContainText('Online');
  },
);

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

    await chooseTask(admin, leaver.name, 'Deactivate');
    const dialog = admin.getByRole('dialog', { name: `Deactivate ${leaver.name}?` });
    await expect(dialog.getByText(`No one else answers at ${handler.alias}.`)).toBeVisible();
    await dialog.getByLabel('Move them to').selectOption(heir.alias);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect(admin.getByText(`${leaver.name} was deactivated.`)).toBeVisible();
    await expect(theirs.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
    await expect(heirs.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();

    await admin.getByRole('radio', { name: 'Deactivated' }).check();
    await chooseTask(admin, leaver.name, 'Activate');
    await expect(admin.getByText(`${leaver.name} is active again.`)).toBeVisible();
  },
);
