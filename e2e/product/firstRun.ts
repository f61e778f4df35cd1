// The steps of an administrator from an empty installation to the first invite.
import { expect, type Page } from '@playwright/test';

const EMAIL = 'ada@settee.example';
export const HANDLER = {
  name: 'Noor Haddad',
  email: 'noor@settee.example',
  alias: 'mara-east',
  password: 'four words nobody guesses',
};

/** From the setup page to the gate, with a wrong code first. */
export async function becomeAdministrator(page: Page, code: string): Promise<void> {
  await page.getByLabel('Public name').fill('Mara Lindqvist');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Password').fill('a password for the first run');
  const field = page.getByLabel('Setup code');
  const submit = page.getByRole('button', { name: 'Create administrator' });
  await field.fill('0000-0000-0000-0000');
  await submit.click();
  await expect(page.getByText('Invalid code. Please try again.')).toBeVisible();
  // The printed address contains the code and leaves it nowhere in the browser.
  await page.goto(`/admin/setup#${code}`);
  await expect(field).toHaveValue(code);
  await expect(page).toHaveURL(/\/admin\/setup$/);
  await submit.click();
}

export async function followStep(page: Page, step: string, place: string): Promise<void> {
  await page.goto('/admin/dashboard');
  const item = page.getByRole('listitem').filter({ hasText: step });
  await expect(item.getByText('Next')).toBeVisible();
  await item.getByRole('link', { name: step }).click();
  await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
}

/** Returns the link with which the handler chooses a password. */
export async function addHandler(page: Page): Promise<string> {
  const form = page.getByRole('dialog', { name: 'Add a handler' });
  await form.getByLabel('Name').fill(HANDLER.name);
  await form.getByLabel('Email address').fill(HANDLER.email);
  await form.getByLabel('Alias').fill(HANDLER.alias);
  await form.getByRole('button', { name: 'Add and create link' }).click();
  return page.getByLabel('Password link', { exact: true }).inputValue();
}

export async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(HANDLER.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is saved' })).toBeVisible();
}

/** Returns the invite link that the page shows. */
export async function makeInvite(page: Page): Promise<string> {
  await page.getByLabel('Label').fill('The first one');
  await page.getByLabel('Handler').selectOption(HANDLER.alias);
  await page.getByRole('button', { name: 'Create invite' }).click();
  return page.getByLabel('Invite link', { exact: true }).inputValue();
}
